"""fastText's labels as languages: which are the same to us, and which script each is written in."""

from __future__ import annotations

UNDETERMINED = "und"  # too little text, or two languages alike
MIXED = "mixed"  # two scripts, each a part of its own

# fastText's labels of the same language for our purpose; longer codes go by their first part.
SAME = {
    "wuu": "zh", "yue": "zh", "cmn": "zh", "zho": "zh", "lzh": "zh", "hak": "zh", "nan": "zh",
    "arz": "ar", "ary": "ar", "apc": "ar", "ajp": "ar", "acm": "ar", "ara": "ar", "arb": "ar",
    "nb": "no", "nn": "no", "nob": "no", "nno": "no", "fil": "tl", "tgl": "tl", "sh": "hr",
    "eng": "en", "fra": "fr", "spa": "es", "por": "pt", "vie": "vi", "jpn": "ja", "kor": "ko",
    "tha": "th", "ben": "bn", "fin": "fi", "tur": "tr", "lit": "lt", "kaz": "kk", "rus": "ru",
    "pes": "fa", "fas": "fa", "prs": "fa", "deu": "de", "ita": "it", "ukr": "uk", "urd": "ur",
}  # fmt: skip

CYRILLIC = frozenset([
    "ab", "av", "ba", "be", "bg", "bxr", "ce", "cv", "kk", "krc", "kv", "ky", "lez", "mhr", "mk",
    "mn", "mrj", "myv", "os", "ru", "rue", "sah", "sr", "tg", "tt", "tyv", "uk", "uz", "xal",
])  # fmt: skip
ARABIC = frozenset([
    "ar", "azb", "ckb", "fa", "ks", "lrc", "mzn", "pnb", "ps", "sd", "ug", "ur",
])  # fmt: skip
# Languages with scripts of their own; all others of lid.176 are written in Latin letters.
OWN = frozenset([
    "am", "as", "bh", "bn", "bo", "bpy", "dty", "dv", "el", "gom", "gu", "he", "hi", "hy", "ja",
    "ka", "km", "kn", "ko", "lo", "mai", "min", "ml", "mr", "my", "ne", "new", "or", "pa", "sa",
    "si", "ta", "te", "th", "xmf", "yi", "zh",
])  # fmt: skip
NOT_LATIN = ARABIC | OWN | (CYRILLIC - {"sr", "uz"})


def canonical(label: str) -> str:
    """The language of a fastText label: zh-Hant, wuu and zho_Hans are zh, arz is ar."""
    base = label.replace("_", "-").split("-")[0].lower()
    return SAME.get(base, base)


def written_in(language: str, script: str) -> bool:
    """Whether words in this script can be of a language, as far as the two can be told apart."""
    if script == "LATIN":
        return language not in NOT_LATIN
    return language in {"CYRILLIC": CYRILLIC, "ARABIC": ARABIC}.get(script, (language,))
