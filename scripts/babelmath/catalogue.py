"""Which tables and figures there are, and which records each is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from babelmath.config import Benchmark, Config, MathMist, Setting, benchmarks
from babelmath.scorers import compared_scorers, protocol_scorers

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
    "claims",
]
Paper = Literal["mathmist", "mmath"]


@dataclass(frozen=True)
class Item:
    """A table or figure of a paper: the settings that must be configured, the records it reads.

    Attributes:
        name: of its files; of an item that is made for each model, with the model's name.
        settings: that must be configured; `cot` stands for those of the CoT columns.
        section: of the paper, for reports.
        optional: settings that are taken where they are configured; one of them must be.
        where: it is of all settings that this holds of, and there is none where there are none.
        contrasts: it is of the settings that are held against each other.
        protocol: `run` reads the verdicts of the run's protocol, `strict` those of the strict one.
        each: it is made for each model by itself.
        trained: it needs a model that was trained from another (MMATH section 3.3.3).
        base: the name that its function goes by.
        model: the one model that it is of; None for all.
        most: models that one figure holds; the others go on to the next, and models trained from
            another have figures of their own.
        models: that it holds, where `most` is set; empty for all.
    """

    paper: Paper
    name: str
    kind: Literal["table", "figure"]
    settings: tuple[str, ...]
    needs: frozenset[Need]
    caption: str
    section: str
    where: Callable[[Setting], bool] | None = None
    optional: tuple[str, ...] = ()
    contrasts: bool = False
    protocol: Literal["run", "strict"] = "run"
    each: bool = False
    trained: bool = False
    base: str = ""
    model: str | None = None
    most: int = 0
    models: tuple[str, ...] = ()


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


def answered(setting: Setting) -> bool:
    """Of any setting: each has responses and verdicts."""
    return bool(setting.scorers)


def translated(setting: Setting) -> bool:
    """Whether a setting asks the same problems in several languages."""
    return len(setting.question_languages) > 1


PAIRS = ("cs-bn-bn", "cs-bn-en", "cs-en-en", "cs-en-bn")
ELICITED = ("atp", "dit", "qrt")
# Settings that ask the same questions: the second is what the first is held against.
CONTRASTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "mathmist": (("cot", "zero-shot"), ("cs-bn-en", "zero-shot"), ("cs-en-en", "zero-shot"),
                 ("cs-bn-bn", "cs-bn-en"), ("cs-en-bn", "cs-en-en")),
    "mmath": tuple((one, "native") for one in ELICITED),
}  # fmt: skip


def _needs(*names: Need) -> frozenset[Need]:
    return frozenset(names)


SCORES = _needs("problems", "verdicts")
BUILT = _needs("problems", "perturbed", "constructions")
TOLD = _needs("problems", "verdicts", "labels")
BOTH: tuple[Paper, ...] = ("mathmist", "mmath")


def _of_both(
    name: str,
    needs: frozenset[Need],
    caption: str,
    section: str,
    where: Callable[[Setting], bool] | None = None,
    **more: Any,
) -> list[Item]:
    """The same table of both papers."""
    return [
        Item(paper, name, "table", (), needs, caption, section, where, **more) for paper in BOTH
    ]


DATA, SCORING, STATISTICS = "Data", "Scoring", "Statistics"
COMPLIANCE = "Accuracy against language compliance"
CATALOGUE: tuple[Item, ...] = (
    Item("mathmist", "data_comparison", "table", (),
         _needs("problems", "choices", "perturbed", "claims"),
         "MathMist and other benchmarks", "Section 1"),
    Item("mathmist", "corpus_stat", "table", (), _needs("problems", "choices", "perturbed"),
         "Corpus statistics", "Section 3.5"),
    Item("mathmist", "zero_cot", "table", ("zero-shot", "cot"), SCORES, "Zero-shot against CoT",
         "Section 5.1"),
    Item("mathmist", "zero_cot_en_bn_category_wise", "table", ("zero-shot", "cot"), SCORES,
         "Zero-shot against CoT by kind of problem", "Appendix A.3"),
    Item("mathmist", "zero_shot_mcq", "table", ("mcq",), SCORES, "Multiple choice", "Section 5.2"),
    Item("mathmist", "perturbation_eval", "table", ("detect", "identify"), SCORES,
         "Error detection and identification", "Section 5.5"),
    Item("mathmist", "code_switch_breakdown", "table", PAIRS, SCORES, "Code-switched CoT by kind",
         "Appendix A.3"),
    Item("mathmist", "cross_ling_accuracy", "table", ("cross-lingual",), SCORES,
         "Zero-shot accuracy across languages", "Section 5.3"),
    Item("mathmist", "lang_stats_bn_bn", "table", ("cs-bn-bn",), _needs("generations"),
         "Languages of Bangla CoT, question in Bangla", "Appendix A.3"),
    Item("mathmist", "lang_stats_en_bn", "table", ("cs-en-bn",), _needs("generations"),
         "Languages of Bangla CoT, question in English", "Appendix A.3"),
    Item("mathmist", "cross_ling_accuracy", "figure", ("cross-lingual",), SCORES,
         "Zero-shot accuracy across languages", "Section 5.3"),
    Item("mathmist", "code_switch", "figure", PAIRS, SCORES, "Code-switched CoT", "Section 5.4"),
    Item("mathmist", "compliance", "figure", ("cross-lingual",), TOLD, COMPLIANCE, STATISTICS,
         most=12),
    Item("mmath", "table1", "table", (), _needs("problems", "claims"),
         "MMATH and other benchmarks", "Section 2"),
    Item("mmath", "problems", "table", (), _needs("problems"),
         "Problems by source and language", "Section 2"),
    Item("mmath", "table2", "table", ("native",), SCORES, "Main results", "Section 3.2"),
    Item("mmath", "table3", "table", ("native",), _needs("labels"),
         "Language consistency ratio", "Section 3.3.1"),
    Item("mmath", "table4", "table", ("native",), TOLD,
         "Accuracy by language of thinking, target and off-target", "Section 3.3.1"),
    Item("mmath", "table5", "table", ("native",), SCORES,
         "Accuracy by elicitation strategy", "Section 3.3.2", optional=ELICITED),
    Item("mmath", "table6", "table", ("native",), _needs("labels"),
         "Language consistency by elicitation strategy", "Section 3.3.2", optional=ELICITED),
    Item("mmath", "table7", "table", ("native",), SCORES,
         "Accuracy by training strategy", "Section 3.3.3", trained=True),
    Item("mmath", "table8", "table", ("native",), _needs("labels"),
         "Language consistency by training strategy", "Section 3.3.3", trained=True),
    Item("mmath", "table13", "table", ("native",), SCORES, "Results by subset", "Appendix E"),
    Item("mmath", "table14", "table", ("native",), SCORES, "Training by subset", "Appendix E",
         trained=True),
    Item("mmath", "figure2", "figure", ("native",), _needs("labels"),
         "Languages of thinking by question language", "Section 3.3.1", most=8),
    Item("mmath", "figure3", "figure", ("native",), _needs("labels"),
         "Languages of answering by question language", "Section 3.3.1", most=8),
    Item("mmath", "figure8", "figure", ("atp",), _needs("labels"),
         "Languages of answering by question language under ATP", "Appendix E", most=8),
    Item("mmath", "figure10", "figure", ("native",), _needs("labels"),
         "Languages of trained models by question language", "Appendix E", trained=True, most=4),
    Item("mmath", "languages", "figure", ("native",), _needs("labels"),
         "Languages of thinking and answering by question language", "Section 3.3.1", each=True),
    Item("mmath", "compliance", "figure", ("native",), TOLD, COMPLIANCE, STATISTICS, most=12),
    Item("mmath", "label_review", "table", (), _needs("problems", "reviews"),
         "A person's check of language labels", SCORING, labelled),
    Item("mmath", "label_confusion", "table", (), _needs("confusion"),
         "Labels of texts whose language is known", SCORING, labelled),
    *_of_both("construction_outcomes", BUILT, "Outcomes of building steps", DATA),
    *_of_both("golds", _needs("golds"), "Exact answers that rules can read", SCORING, by_rule),
    *_of_both("protocols", _needs("scores"), "The paper's protocol against the strict one",
              SCORING, both_protocols),
    *_of_both("judge_agreement", _needs("scores"), "Agreement of judges and rules", SCORING,
              compared),
    *_of_both("label_shares", _needs("labels"), "Language consistency in both readings",
              SCORING, labelled),
    *_of_both("samples", _needs("verdicts"), "Several responses to a question", STATISTICS,
              sampled),
    *_of_both("outcomes", _needs("verdicts", "labels"), "What became of every response",
              STATISTICS, answered, protocol="strict"),
    *_of_both("tests_settings", SCORES, "Differences between settings", STATISTICS,
              contrasts=True, protocol="strict"),
    *_of_both("tests_languages", SCORES, "Differences between languages", STATISTICS, translated,
              protocol="strict"),
)  # fmt: skip


def items(config: Config, kind: Literal["table", "figure"]) -> list[Item]:
    """The tables or figures whose benchmark and settings the configuration has, in order."""
    chosen: list[Item] = []
    for item in CATALOGUE:
        benchmark = benchmarks(config).get(item.paper)
        if item.kind != kind or benchmark is None:
            continue
        found = _settings(item, benchmark)
        if found is None or not _made_here(item, config, benchmark):
            continue
        item = replace(item, settings=found, base=item.name)
        if item.most:
            chosen += _sheets(item, config, benchmark)
            continue
        if not item.each:
            chosen.append(item)
            continue
        models = dict.fromkeys(model for one in found for model in benchmark.settings[one].models)
        chosen += [replace(item, name=f"{item.base}_{model}", model=model) for model in models]
    return chosen


def _sheets(item: Item, config: Config, benchmark: Benchmark) -> Iterator[Item]:
    """A figure's models on as many figures as they need, named `figure2`, `figure2_2`, ..."""
    asked = dict.fromkeys(
        model for one in item.settings for model in benchmark.settings[one].models
    )
    models = [one for one in asked if bool(config.models[one].trained_from) == item.trained]
    sheets = [tuple(models[i : i + item.most]) for i in range(0, len(models), item.most)]
    for number, held in enumerate(sheets, 1):
        name = item.base if number == 1 else f"{item.base}_{number}"
        part = f", part {number} of {len(sheets)}" if len(sheets) > 1 else ""
        yield replace(item, name=name, models=held, caption=item.caption + part)


def _settings(item: Item, benchmark: Benchmark) -> tuple[str, ...] | None:
    """The settings of an item here; None where one that it needs is not configured."""
    if item.where is not None:
        return tuple(n for n, one in benchmark.settings.items() if item.where(one)) or None
    if item.contrasts:
        pairs = [one for one in CONTRASTS[item.paper] if set(one) <= benchmark.settings.keys()]
        held = {name for pair in pairs for name in pair}
        return tuple(name for name in benchmark.settings if name in held) or None
    needed = list(_columns(item.settings, benchmark))
    more = [one for one in item.optional if one in benchmark.settings]
    if (item.optional and not more) or any(one not in benchmark.settings for one in needed):
        return None
    if "labels" in item.needs:
        if any(not benchmark.settings[one].labels for one in needed):
            return None
        more = [one for one in more if benchmark.settings[one].labels]
        if item.optional and not more:
            return None
    return (*needed, *more)


def _made_here(item: Item, config: Config, benchmark: Benchmark) -> bool:
    """Whether the run builds what an item is about, and has models that it is of."""
    built = set(benchmark.languages) - set(benchmark.source_languages)
    if "constructions" in item.needs and not (
        built or getattr(benchmark, "choices", None) or getattr(benchmark, "perturbation", None)
    ):
        return False
    if item.settings[:1] != ("native",):
        return True
    # The training study's tables hold trained models, and the others all but these.
    bases = [config.models[model].trained_from for model in benchmark.settings["native"].models]
    return any(bases) if item.trained else item.kind == "figure" or not all(bases)


def _columns(settings: Iterable[str], benchmark: Benchmark) -> Iterator[str]:
    """Settings with `cot` replaced by those that give the CoT columns."""
    for name in settings:
        if name == "cot" and isinstance(benchmark, MathMist):
            yield from dict.fromkeys(benchmark.cot_columns.values())
        else:
            yield name
