"""Words around a stated value that change it: signs, denials, relations, "half of".

Each table holds patterns by language code; those of English are added to every language's.
`of` compiles one with the others' boundaries: a word of a script that parts words must be whole.
"""

from __future__ import annotations

import re
import unicodedata

# Read as a minus before a number, unless a word before makes another meaning: "al menos 5".
MINUS = {
    "en": "minus|negative",
    "ar": "سالب|ناقص",
    "bn": "ঋণাত্মক|মাইনাস|বিয়োগ",
    "es": "menos",
    "fi": "miinus|negatiivinen",
    "fr": "moins",
    "ja": "マイナス|負の",
    "kk": "минус|теріс",
    "ko": "마이너스|음의",
    "lt": "minus",
    "pt": "menos",
    "th": "ลบ",
    "tr": "eksi",
    "vi": "âm|trừ",
    "zh": "负|負|零下",
}  # fmt: skip
NO_MINUS = r"(?<!al )(?<!au )(?<!ao )(?<!lo )(?<!más o )(?<!pelo )(?<!plus ou )(?<!mais ou )"
# Before a value: it is not the answer. Up to two more words may follow ("not equal to").
DENIED = {
    "en": r"not|\w+n['’]t|cannot|never|neither|nor",
    "ar": "ليس|ليست|ليسا|لا|لن",
    "bn": "না",
    "es": r"no(?=\s+\w)|nunca|tampoco|ni",
    "fi": "ei|eivät|eikä",
    "fr": "pas|jamais|ni",
    "ja": "",
    "kk": "",
    "ko": "",
    "lt": "nėra|ne|nebus|niekada|nelygus|nelygu",
    "pt": r"não(?=\s+\w)|nunca|nem|tampouco",
    "th": "ไม่ใช่|มิใช่|ไม่เท่ากับ|ไม่ได้|ไม่เป็น",
    "tr": "",
    "vi": "không phải|không thể|không bằng|chẳng phải|không là",
    "zh": "不是|并非|並非|不为|不為|不等于|不等於|不可能|不会|不會|不应|不應|不能",
}  # fmt: skip
# Between the phrase and its value: the answer that is meant is a wrong one.
FALSE = {
    "en": "wrong|incorrect|false",
    "ar": "خاطئة|الخاطئة|خاطئ|الخاطئ|الخطأ",
    "es": "incorrecta|incorrecto|falsa|errónea|equivocada",
    "fr": "incorrecte|incorrect|fausse|erronée",
    "pt": "incorreta|incorreto|falsa|errada|errado",
    "th": "ที่ผิด|ผิด",
    "vi": "sai",
}  # fmt: skip
# Before the phrase, directly: likewise.
FALSE_BEFORE = {
    "en": "wrong|incorrect|false|mistaken|erroneous|tempting|naive",
    "bn": "ভুল",
    "fi": "väärä",
    "ja": "間違った|誤った|不",
    "kk": "қате|емес",
    "ko": "틀린|잘못된",
    "lt": "neteisingas|klaidingas",
    "tr": "yanlış|hatalı",
    "zh": "错误的?|錯誤的?|不",
    "es": "falsa",
    "fr": "fausse|mauvaise",
    "pt": "falsa",
}  # fmt: skip
# After a value: it is not the answer, or only supposed to be.
DENIED_AFTER = {
    "en": r"(?:is|are|was)\s+(?:wrong|incorrect|false|not|impossible)|isn['’]t|would\s|cannot",
    "ar": "خطأ|خاطئ|غير صحيح",
    "bn": "(?:টি|টা|জন)?[ -]*(?:নয়|নয়|নহে|ভুল|হলে)",
    "es": "no es|es incorrect[oa]|sería",
    "fi": "ei ole|on väärin|olisi",
    "fr": "n['’]est pas|est (?:fausse|faux|incorrecte?)|serait",
    "ja": "(?:では|じゃ)(?:なく|ない|あり)|は(?:誤り|間違い|正しくな)|(?:である)?(?:なら"
    "|とすると)|だとすると",
    "kk": "емес|қате|болса",
    "ko": "[이가은는]? ?(?:아니라|아니고|아닌|아니다|아닙니다|틀리|틀렸|틀린)|(?:이라|라)면",
    "lt": "nėra|yra neteising",
    "pt": "não é|é incorret[oa]|está errad[oa]|seria",
    "th": "ไม่ใช่|ไม่ถูก|ผิด",
    "tr": "değil|yanlış|ise|olsaydı",
    "vi": "không phải|không đúng|là sai",
    "zh": "是?(?:不对|不對|错|錯|不正确|不正確)|不是",
}  # fmt: skip
# After a denied value: what follows is the answer.
CONTRARY = {
    "en": "but rather|but instead|but|rather|instead",
    "ar": "بل|وإنما|ولكن|لكن",
    "bn": "বরং|কিন্তু|হবে",
    "es": "sino que|sino|pero",
    "fi": "vaan",
    "fr": "mais plutôt|mais",
    "ja": "",
    "kk": "",
    "ko": "",
    "lt": "o|bet",
    "pt": "mas sim|mas|e sim",
    "th": "แต่เป็น|แต่คือ|แต่",
    "tr": "",
    "vi": "mà là|mà",
    "zh": "而是|应是|應是|应该是|應該是|应为",
}  # fmt: skip
# Right before a number: the value is not that number but said of it. Kept whole, in words.
BINDING = {
    "en": "of|than|(?:divisible|divided|multiplied) by|times|between|least|most|under|over"
    "|above|below|within|except|plus|up to|exceed(?:s|ing)?|minimum|maximum|half|twice"
    "|double|under|divides|dividing",
    "ar": "من|عن|على الأقل|على الأكثر|بين|نصف|ضعف|جذر|سوى|إلا|قسمة",
    "bn": "কমপক্ষে|অন্তত|অনধিক|অনূর্ধ্ব|ন্যূনতম|সর্বোচ্চ|চেয়ে|থেকে|বেশি|কম|অর্ধেক",
    "es": r"(?<=\w )(?<!es )(?<!son )de|del|que|por|entre|menos|más|mínimo|máximo|veces|salvo"
    "|excepto|hasta|sobre|cada",
    "fi": "vähintään|enintään|korkeintaan|yli|alle|kuin|puolet|paitsi|kertaa|välillä",
    "fr": r"(?<=\w )(?<!est )(?<!sont )de|des|du|que|par|entre|moins|plus|minimum|maximum|fois"
    "|sauf",
    "ja": "少なくとも|最低|高々|多くとも|最大|最小|最大で|最小で",
    "kk": "кемінде|кем дегенде|ең көбі|көп дегенде|артық|аспайтын",
    "ko": "최소|최대|적어도|많아야|최소한|최대한",
    "lt": "mažiau|daugiau|kaip|nei|už|bent|daugiausia|iki|tarp|virš|kartus|išskyrus|pusė|iš",
    "pt": r"(?<=\w )(?<!é )(?<!são )de|do|da|que|por|entre|menos|mais|mínimo|máximo|vezes|exceto"
    "|até|acima|abaixo",
    "th": "มากกว่า|น้อยกว่า|อย่างน้อย|อย่างมาก|ไม่เกิน|ไม่น้อยกว่า|ของ|ระหว่าง|กว่า"
    "|ครึ่งหนึ่งของ|ยกเว้น",
    "tr": "en az|en fazla|en çok|arasında|yarısı|hariç|kat",
    "vi": "hơn|ít nhất|nhiều nhất|tối đa|tối thiểu|không quá|của|giữa|trừ|dưới|trên|cho|nửa",
    "zh": "大于|大於|小于|小於|至少|至多|最多|最少|超过|超過|不足|不到|多于|少于|高于|低于"
    "|不小于|不大于|介于|除|不|比",
}  # fmt: skip
# After a number, likewise: at least, more than.
RELATION_AFTER = {
    "en": "(?:or|and) (?:more|less|fewer|greater|above|below|over|under|higher|lower)",
    "ar": "فأكثر|فأقل|أو أكثر|أو أقل|على الأقل|على الأكثر",
    "es": "o más|o menos|como m[íá][nx]imo",
    "bn": "(?:টি|টা|জন)?(?:-?এর|-?র)? ?(?:চেয়ে|থেকে) (?:বেশি|কম|বড়|ছোট|অধিক)|(?:টি|টা"
    "|জন)?-?(?:এর|র) (?:বেশি|কম|অধিক)",
    "fi": "tai (?:enemmän|vähemmän|yli|alle)|enintään",
    "fr": "ou (?:plus|moins)|au (?:plus|moins)",
    "ja": "以上|以下|未満|以内|超|より(?:大き|小さ|多|少な)",
    "kk": "-?[тд][еа]н (?:көп|аз|артық|кем|үлкен|кіші)",
    "ko": "이상|이하|초과|미만|보다 ?(?:큰|작은|크|작)",
    "lt": "ar (?:daugiau|mažiau)",
    "pt": "ou (?:mais|menos)|no m[íá][nx]imo",
    "th": "ขึ้นไป|ลงมา",
    "vi": "trở (?:lên|xuống)",
    "tr": "(?:['’]?[td][ae]n )?(?:fazla|çok|az|büyük|küçük|aşağı|yukarı)"
    "|veya (?:daha )?(?:fazla|az)",
    "zh": "以上|以下|以内|以內",
}  # fmt: skip
# After the name of a number: the name goes on.
NUMERALS = (
    "half|halves|(?:third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?|hundred|thousand"
    "|million|billion|dozen|score|gross|times|point|over|and|of|more|less|fewer|tens|squared|cubed"
    "|demi|tiers?|quarts?|cinquièmes?|cents?|mille|fois|et|de|medi[oa]s?|tercios?|cuartos?|quintos?"
    "|cien(?:tos)?|mil|millones|veces|y|terços?|quartos?|mei[oa]|milhões|vezes|e|dividido"
    "|puoli|kolmasosaa?|neljäsosaa?|sataa?|tuhatta?|miljoonaa?|pilkku|kertaa|šimta[is]|tūkstančiai"
    "|pusė|trečioji|trečdaliai|milijon\\w*|kablelis|yarım|bölü|yüz|bin|milyon|virgül|buçuk|жарым"
    "|жарты|жүз|мың|миллион|бүтін|nửa|phần|trăm|nghìn|ngàn|triệu|rưỡi|phẩy|mươi|শত|শো|হাজার|লক্ষ"
    "|লাখ|কোটি|ভাগের|দশমিক|ونصف|مئة|مائة|ألف|آلاف|مليون|على|أخماس|أرباع|أثلاث"
)


def of(table: dict[str, str], code: str) -> str:
    """One pattern for a language and English; it matches nothing where both have no words."""
    words = "|".join(filter(None, (table.get(code, ""), table.get("en", ""))))
    words = unicodedata.normalize("NFC", words)
    return rf"(?:{_WHOLE_START}(?:{words}){_WHOLE_END})" if words else "(?!)"


# Scripts that write no blanks, and Hangul, whose particles are attached, need no whole word.
_UNSPACED = "\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7a3"
_WHOLE_START = rf"(?:(?<![^\W\d_])|(?<=[{_UNSPACED}])|(?=[{_UNSPACED}]))"
_MARKS = "\u0300-\u036f\u064b-\u0652\u0981-\u0983\u09bc-\u09cd"
_WHOLE_END = rf"(?:(?![^\W\d_]|[{_MARKS}])|(?<=[{_UNSPACED}\s]))"
MINUS_NUMBER = r"(?=\s*\$?\s*(?:[\d.√½¼¾]|\\(?:frac|dfrac|tfrac|sqrt|pi|infty)(?![a-zA-Z])|[π∞]))"


def minus(code: str) -> re.Pattern[str]:
    """A word for minus right before a number, also in a font of its own."""
    word = of(MINUS, code)
    return re.compile(
        rf"{NO_MINUS}(?:\\(?:text|mathrm)\s*\{{\s*{word}\s*\}}|{word})\s*{MINUS_NUMBER}",
        re.IGNORECASE,
    )
