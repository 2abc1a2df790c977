"""What the measures of the claims ledger take: the words of each argument, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from babelmath.composition import LABELS
from babelmath.sources import KINDS, SUBDOMAINS, SUBSETS

SETTINGS = ("zero-shot", "cot", "cs-bn-en", "cs-bn-bn", "cs-en-en", "cs-en-bn", "mcq", "detect",
            "identify", "cross-lingual", "native", "atp", "dit", "qrt")  # fmt: skip
LANGUAGES = ("bn", "en", "fr", "fi", "tr", "lt", "kk", "zh", "ar", "es", "ja", "ko", "pt", "th",
             "vi")  # fmt: skip
# The models that the papers evaluate, as config/paper.yaml names them, and those they train.
MODELS = (
    "gpt-oss-20b", "qwen3-8b", "deepseek-r1-7b", "mathstral-7b", "phi-4", "gemini-2.5-flash-lite",
    "qwen2.5-32b-instruct", "gemma-3-27b-it", "distill-qwen-1.5b", "distill-qwen-7b",
    "distill-llama-8b", "distill-qwen-14b", "distill-qwen-32b", "qwq-32b", "deepseek-r1", "o3-mini",
    "qwen2.5-32b-en-sft", "qwen2.5-32b-native-think", "qwen2.5-32b-en-think",
)  # fmt: skip
KIND = ("all", *KINDS)
WHAT = (*KIND, *SUBSETS, *(f"{kind}/{one.replace(' ', '_')}" for kind in KINDS
                           for one in SUBDOMAINS[kind]))  # fmt: skip
WAY = ("count", "share")
ALL = ("all",)
ANY: tuple[str, ...] = ()  # a word of its own form

ARGUMENTS: dict[str, tuple[Sequence[str], ...]] = {
    "accuracy": (SETTINGS, MODELS, LANGUAGES, KIND),
    "change": (SETTINGS, SETTINGS, MODELS, LANGUAGES, KIND),
    "detection": (MODELS, LANGUAGES),
    "identification": (MODELS, LANGUAGES),
    "f1": (MODELS, LANGUAGES),
    "language_mean": (MODELS,),
    "language_sd": (MODELS,),
    "problems": (WHAT, ("each", "all", *LANGUAGES)),
    "choices": (ALL,),
    "perturbed": (ALL,),
    "artefacts": (ALL,),
    "subset": (SETTINGS, SUBSETS, MODELS, LANGUAGES),
    "subset_mean": (SETTINGS, SUBSETS, MODELS),
    "macro": (SETTINGS, MODELS, LANGUAGES),
    "macro_mean": (SETTINGS, MODELS),
    "lcr": (SETTINGS, MODELS, ("thinking", "answering")),
    "target": (MODELS, LANGUAGES),
    "off_target": (MODELS, LANGUAGES),
    "target_mean": (MODELS,),
    "off_target_mean": (MODELS,),
    "composition": (SETTINGS, MODELS, LABELS, WAY),
    "combination": (SETTINGS, MODELS, ANY, WAY),
    "judge": (SETTINGS,),
    "samples": (SETTINGS,),
    "fact": (),
    "arithmetic": (),
}
# Measures of no one model, and those over all languages of a benchmark.
COUNTS = ("problems", "choices", "perturbed", "artefacts", "judge", "samples")
WIDE = ("language_mean", "language_sd", "subset_mean", "macro_mean", "lcr", "target_mean",
        "off_target_mean", "artefacts")  # fmt: skip


def fault(formula: str, records: Sequence[str], known_models: Sequence[str] = MODELS) -> str | None:
    """What is wrong with a measure's arguments, in a sentence; None where nothing is.

    Args:
        known_models: the models that may be named; none: any.
    """
    wanted = ARGUMENTS[formula]
    if len(records) != len(wanted):
        return f"{formula} takes {len(wanted)} arguments, not {len(records)}"
    for word, known in zip(records, wanted, strict=True):
        allowed = known_models if known is MODELS else known
        if allowed and word not in allowed:
            return f"{word} is none of {', '.join(allowed)}"
    return None
