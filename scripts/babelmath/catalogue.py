"""Which tables and figures there are, and which records each is made from."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from babelmath.config import Benchmark, Config, MathMist, Setting, benchmarks

Need = Literal[
    "problems",
    "verdicts",
    "scores",
    "labels",
    "generations",
    "constructions",
    "choices",
    "perturbed",
    "golds",
    "reviews",
    "confusion",
]


@dataclass(frozen=True)
class Item:
    """A table or figure of a paper: the settings that must be configured, the records it reads.

    With `where` it is of all settings that this holds of, and there is none where there are none.
    """

    paper: Literal["mathmist", "mmath"]
    name: str
    kind: Literal["table", "figure"]
    settings: tuple[str, ...]
    needs: frozenset[Need]
    caption: str
    where: Callable[[Setting], bool] | None = None


def sampled(setting: Setting) -> bool:
    """Whether a setting asks a question more than once."""
    return setting.samples > 1


def by_rule(setting: Setting) -> bool:
    """Whether answers are compared with the exact ones by rule."""
    return any(one.startswith("rules-") for one in setting.scorers)


def labelled(setting: Setting) -> bool:
    """Whether the languages of a setting's responses are told."""
    return setting.labels


def both_protocols(setting: Setting) -> bool:
    """Whether a setting's answers are scored under the paper's and the strict protocol."""
    return protocol_scorers(setting.scorers) is not None


def compared(setting: Setting) -> bool:
    """Whether a setting has a judge and a second scorer to compare it with."""
    return bool(compared_scorers(setting.scorers))


PAIRS = ("cs-bn-bn", "cs-bn-en", "cs-en-en", "cs-en-bn")
SCORES: frozenset[Need] = frozenset({"problems", "verdicts"})
BUILT: frozenset[Need] = frozenset({"problems", "perturbed", "constructions"})
CATALOGUE: tuple[Item, ...] = (
    Item("mathmist", "corpus_stat", "table", (), frozenset({"problems", "choices", "perturbed"}),
         "Corpus statistics"),
    Item("mathmist", "construction_outcomes", "table", (), BUILT,
         "Outcomes of translation, choices and perturbation"),
    Item("mathmist", "zero_cot", "table", ("zero-shot", "cot"), SCORES, "Zero-shot against CoT"),
    Item("mathmist", "zero_cot_en_bn_category_wise", "table", ("zero-shot", "cot"), SCORES,
         "Zero-shot against CoT by kind of problem"),
    Item("mathmist", "zero_shot_mcq", "table", ("mcq",), SCORES, "Multiple choice"),
    Item("mathmist", "perturbation_eval", "table", ("detect", "identify"), SCORES,
         "Error detection and identification"),
    Item("mathmist", "code_switch_breakdown", "table", PAIRS, SCORES, "Code-switched CoT by kind"),
    Item("mathmist", "cross_ling_accuracy", "table", ("cross-lingual",), SCORES,
         "Zero-shot accuracy across languages"),
    Item("mathmist", "lang_stats_bn_bn", "table", ("cs-bn-bn",), frozenset({"generations"}),
         "Languages of Bangla CoT, question in Bangla"),
    Item("mathmist", "lang_stats_en_bn", "table", ("cs-en-bn",), frozenset({"generations"}),
         "Languages of Bangla CoT, question in English"),
    Item("mathmist", "samples", "table", (), frozenset({"verdicts"}),
         "Several responses to a question", sampled),
    Item("mathmist", "golds", "table", (), frozenset({"golds"}),
         "Exact answers that rules can read", by_rule),
    Item("mathmist", "protocols", "table", (), frozenset({"scores"}),
         "The paper's protocol against the strict one", both_protocols),
    Item("mathmist", "judge_agreement", "table", (), frozenset({"scores"}),
         "Agreement of judges and rules", compared),
    Item("mathmist", "cross_ling_accuracy", "figure", ("cross-lingual",), SCORES,
         "Zero-shot accuracy across languages"),
    Item("mathmist", "code_switch", "figure", PAIRS, SCORES, "Code-switched CoT"),
    Item("mmath", "problems", "table", (), frozenset({"problems"}),
         "Problems by source and language"),
    Item("mmath", "construction_outcomes", "table", (), BUILT, "Outcomes of translation"),
    Item("mmath", "table2", "table", ("native",), SCORES, "Main results"),
    Item("mmath", "table3", "table", ("native",), frozenset({"labels"}),
         "Language consistency ratio"),
    Item("mmath", "label_shares", "table", (), frozenset({"labels"}),
         "Language consistency in both readings", labelled),
    Item("mmath", "label_review", "table", (), frozenset({"problems", "reviews"}),
         "A person's check of language labels", labelled),
    Item("mmath", "label_confusion", "table", (), frozenset({"confusion"}),
         "Labels of texts whose language is known", labelled),
    Item("mmath", "samples", "table", (), frozenset({"verdicts"}),
         "Several responses to a question", sampled),
    Item("mmath", "golds", "table", (), frozenset({"golds"}),
         "Exact answers that rules can read", by_rule),
    Item("mmath", "protocols", "table", (), frozenset({"scores"}),
         "The paper's protocol against the strict one", both_protocols),
    Item("mmath", "judge_agreement", "table", (), frozenset({"scores"}),
         "Agreement of judges and rules", compared),
    Item("mmath", "figure2", "figure", ("native",), frozenset({"labels"}),
         "Languages of thinking by question language"),
    Item("mmath", "figure3", "figure", ("native",), frozenset({"labels"}),
         "Languages of answering by question language"),
)  # fmt: skip


def items(config: Config, kind: Literal["table", "figure"]) -> list[Item]:
    """The tables or figures whose benchmark and settings the configuration has, in order."""
    chosen = []
    for item in CATALOGUE:
        benchmark = benchmarks(config).get(item.paper)
        if item.kind != kind or benchmark is None:
            continue
        if item.where is not None:
            found = [name for name, one in benchmark.settings.items() if item.where(one)]
            if not found:
                continue
            item = replace(item, settings=tuple(found))
        else:
            item = replace(item, settings=tuple(_columns(item.settings, benchmark)))
        missing = [name for name in item.settings if name not in benchmark.settings]
        if "labels" in item.needs:
            missing += [one for one in item.settings if one in benchmark.settings
                        and not benchmark.settings[one].labels]  # fmt: skip
        built = set(benchmark.languages) - set(benchmark.source_languages)
        if "constructions" in item.needs and not (
            built or getattr(benchmark, "choices", None) or getattr(benchmark, "perturbation", None)
        ):
            continue
        if not missing:
            chosen.append(item)
    return chosen


def _columns(settings: Iterable[str], benchmark: Benchmark) -> Iterator[str]:
    """Settings with `cot` replaced by those that give the CoT columns."""
    for name in settings:
        if name == "cot" and isinstance(benchmark, MathMist):
            yield from dict.fromkeys(benchmark.cot_columns.values())
        else:
            yield name


def scorer_of(scorers: list[str], protocol: str) -> str:
    """The scorer that a table takes: the protocol's rule or letter scorer, else the first judge.

    A judge named ...-strict (released replies, read again) is the strict protocol's.
    """
    judges = [one for one in scorers if one.startswith("judge-")]
    own = [one for one in scorers if one.endswith(f"-{protocol}") and one not in judges]
    if protocol == "strict":
        own += [one for one in judges if one.endswith("-strict")]
    first_hand = [one for one in judges if not one.endswith("-strict")]
    return (own or first_hand or judges or scorers)[0]


def protocol_scorers(scorers: Sequence[str]) -> tuple[str, str] | None:
    """The scorers of the paper's and of the strict protocol; None without one of each."""
    paper, strict = scorer_of(list(scorers), "paper"), scorer_of(list(scorers), "strict")
    return (paper, strict) if strict.endswith("-strict") and paper != strict else None


def compared_scorers(scorers: Sequence[str]) -> list[tuple[str, str]]:
    """Each judge with the strict rule, and every two judges."""
    judges = [one for one in scorers if one.startswith("judge-")]
    rules = [(one, "rules-strict") for one in judges if "rules-strict" in scorers]
    return rules + list(itertools.combinations(judges, 2))


def deciding_judge(scorers: list[str]) -> str | None:
    """The judge that decides where the strict rule cannot read an exact answer: the first one.

    Its strict reading counts where the setting has it.
    """
    judges = [one for one in scorers if one.startswith("judge-")]
    if not judges:
        return None
    strict = f"{judges[0].removesuffix('-strict')}-strict"
    return strict if strict in judges else judges[0]
