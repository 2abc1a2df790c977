"""Numbers recomputed from records: each measure counted by hand on small frames."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable
from pathlib import Path
from statistics import pstdev
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import ncx2, norm, t
from statsmodels import api as sm
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from babelmath.audit.arguments import ARGUMENTS, COUNTS, WIDE, fault
from babelmath.audit.claims import MEASURES as NAMED
from babelmath.audit.claims import load_claims
from babelmath.audit.evidence import evidence
from babelmath.audit.measures import MEASURES, Recomputed, measure
from babelmath.records import ChoiceItem, LanguageRecord, PartLabel, Verdict, save_records
from babelmath.statistics import frames, shares
from babelmath.statistics.frames import deviation_span
from babelmath.tables.data import Data
from record_frames import COMPOSITIONS, NAMES, data, held, labels, subsets, verdicts
from stand_ins import UNTIMED, generation, perturbed, problem

Z = 1.959963984540054


def found(records: Data, claim: str) -> Recomputed:
    """What a measure gives for `formula arguments`."""
    formula, *arguments = claim.split()
    measured = measure(records, formula, arguments)
    assert measured is not None, claim
    return measured


def missing(records: Data, claim: str) -> bool:
    formula, *arguments = claim.split()
    return measure(records, formula, arguments) is None


def close(span: tuple[float, float] | None) -> Any:
    return pytest.approx(span, abs=1e-9)


def wilson(right: float, n: float) -> tuple[float, float]:
    """Wilson's interval in percent, by another library."""
    low, high = proportion_confint(right, n, method="wilson")
    return 100 * low, 100 * high


def macro_span(*parts: tuple[float, tuple[float, float]]) -> tuple[float, float]:
    """The interval of a mean of shares that vary by themselves: distances add as squares."""
    mean = sum(value for value, _ in parts) / len(parts)
    below, above = (
        math.sqrt(sum((value - span[end]) ** 2 for value, span in parts)) / len(parts)
        for end in (0, 1)
    )
    return mean - below, mean + above


def clustered(scores: dict[str, list[bool]]) -> tuple[float, float]:
    """Wilson's interval with as many responses as the error over clusters is worth.

    That error is statsmodels' of a regression on a constant alone.
    """
    values = [float(score) for each in scores.values() for score in each]
    groups = [at for at, each in enumerate(scores.values()) for _ in each]
    fit = sm.OLS(values, [1.0] * len(values)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    share, error = sum(values) / len(values), float(fit.bse[0])
    quantiles = stats.norm.ppf(0.975) / stats.t.ppf(0.975, len(scores) - 1)
    n = share * (1 - share) / error**2 * quantiles**2
    return wilson(share * n, n)


# Accuracy


def by_kind() -> Data:
    """English: two numerical problems, one symbolic, one proof; Bangla: four numerical ones."""
    problems = [*held(*"ab"), *held("c", kind="symbolic"), *held("d", kind="proof"),
                *held(*"abcd", lang="bn")]  # fmt: skip
    return data(
        problems,
        verdicts("zero-shot", "abd", "c", file="Zero/en.json")
        + verdicts("cot", "a", "bcd", scorer="t", file="CoT/en.json")
        + verdicts("zero-shot", "a", "bcd", lang="bn")
        + verdicts("cs-bn-en", "abc", "d", lang="bn"),
    )


@pytest.mark.parametrize(
    ("claim", "value", "n"),
    [
        ("accuracy zero-shot m en all", 75.0, 4),
        ("accuracy zero-shot m en numerical", 100.0, 2),
        ("accuracy zero-shot m en symbolic", 0.0, 1),
        ("accuracy zero-shot m en proof", 100.0, 1),
        ("accuracy cot m en all", 25.0, 4),
        ("accuracy zero-shot m bn all", 25.0, 4),
        ("change cot zero-shot m en all", -50.0, 4),
        ("change cot zero-shot m en numerical", -50.0, 2),
        ("change cot zero-shot m en symbolic", 0.0, 1),
        ("change zero-shot cot m en proof", 100.0, 1),
    ],
)
def test_accuracies_and_their_change(claim: str, value: float, n: int) -> None:
    measured = found(by_kind(), claim)
    assert (measured.value, measured.n) == (value, n)


@pytest.mark.parametrize(
    "claim",
    [
        "accuracy mcq m en all",
        "accuracy zero-shot m fr all",
        "accuracy zero-shot m bn proof",
        "change cot mcq m en all",
        "change mcq cot m en all",
        "change cot zero-shot m bn all",
    ],
)
def test_an_accuracy_without_records_is_missing(claim: str) -> None:
    assert missing(by_kind(), claim)


def test_cot_is_the_setting_that_stands_for_it_in_that_language() -> None:
    records = data(
        held(*"abcd", lang="bn") + held(*"abcd"),
        verdicts("cs-bn-en", "abc", "d", lang="bn")
        + verdicts("zero-shot", "a", "bcd", lang="bn")
        + verdicts("cs-en-en", "a", "bcd")
        + verdicts("cot", "", "abcd"),
        cot_columns={"bn": "cs-bn-en", "en": "cs-en-en"},
    )
    assert found(records, "accuracy cot m bn all").value == 75.0
    assert found(records, "accuracy cot m en all").value == 25.0
    assert found(records, "change cot zero-shot m bn all").value == 50.0
    assert found(records, "accuracy cs-bn-en m bn all").value == 75.0


def test_an_accuracy_carries_wilsons_interval_its_scorers_and_files() -> None:
    measured = found(by_kind(), "accuracy zero-shot m en all")
    assert measured.span == close(wilson(3, 4))
    assert (measured.scorers, measured.files) == (("s",), ("Zero/en.json",))


def test_a_change_carries_the_paired_interval_and_both_origins() -> None:
    measured = found(by_kind(), "change cot zero-shot m en all")
    # a of abcd right against abd: they go together by 1/3, less than its own error of 1/2.
    apart = confint_proportions_2indep(1, 4, 3, 4, compare="diff", method="newcomb")
    assert measured.span == close(tuple(100 * end for end in apart))
    assert measured.scorers == ("t", "s")
    assert measured.files == ("CoT/en.json", "Zero/en.json")


def test_several_attempts_count_as_one_problem() -> None:
    records = data(
        held(*"ab"), verdicts("cot", "a", "b", sample=0) + verdicts("cot", "", "ab", sample=1)
    )
    measured = found(records, "accuracy cot m en all")
    assert (measured.value, measured.n, measured.span) == (50.0, 2, close(wilson(1, 2)))
    assert found(records, "samples cot").value == 2


def test_detection_identification_and_f1() -> None:
    records = data(
        held(*"abcde"),
        verdicts("detect", "abcd", "e")
        + verdicts("identify", "abc", decision="TP")
        + verdicts("identify", "", "d", decision="FP")
        + verdicts("identify", "", "e", decision="FN"),
    )
    assert found(records, "detection m en").value == 80.0
    rate = found(records, "identification m en")
    assert (rate.value, rate.n, rate.span) == (60.0, 5, close(wilson(3, 5)))
    f1 = found(records, "f1 m en")
    assert (f1.value, f1.n) == (75.0, 5)  # 6 / (6 + 1 + 1)
    low, high = wilson(3, 5)
    assert f1.span == close((200 * low / (100 + low), 200 * high / (100 + high)))
    for claim in ("detection m bn", "identification m bn", "f1 m bn"):
        assert missing(records, claim)


def test_no_true_positive_is_nought() -> None:
    records = data(held("a"), verdicts("identify", "", "a", decision="FP"))
    assert found(records, "identification m en").value == 0.0
    assert found(records, "f1 m en").value == 0.0


# Over languages


def across() -> Data:
    problems = [one for lang in ("bn", "en", "fr") for one in held(*"abcd", lang=lang)]
    return data(
        problems,
        verdicts("cross-lingual", "a", "bcd", lang="bn")
        + verdicts("cross-lingual", "abc", "d", lang="en")
        + verdicts("cross-lingual", "ab", "cd", lang="fr"),
        languages=("bn", "en", "fr"),
    )


def test_mean_and_population_deviation_over_languages() -> None:
    mean, deviation = found(across(), "language_mean m"), found(across(), "language_sd m")
    assert (mean.value, mean.n, deviation.n) == (50.0, 12, 12)
    assert deviation.value == pytest.approx(math.sqrt(1250 / 3))  # 25, 75, 50
    assert mean.span == close(wilson(2, 4))  # too few problems: each counts as one response
    assert deviation.span == deviation_span(columns("1000", "1110", "1100"))


@pytest.mark.parametrize("claim", ["language_mean m", "language_sd m"])
def test_over_languages_one_that_is_missing_leaves_nothing(claim: str) -> None:
    records = data(held("a"), verdicts("cross-lingual", "a"))  # Bangla has none
    assert missing(records, claim)


# Counts


def corpus(**fields: Any) -> Data:
    labelled = [*held(*"ab", subdomain="Word Problem"), *held("c"), *held("d", kind="proof")]
    return data(labelled + [row | {"lang": "bn"} for row in labelled],
                **({"choices": 6, "perturbed": 4} | fields))  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("problems all all", 8),
        ("problems all each", 4),
        ("problems all bn", 4),
        ("problems numerical all", 6),
        ("problems numerical each", 3),
        ("problems symbolic each", 0),
        ("problems numerical/Word_Problem each", 2),
        ("problems numerical/Word_Problem all", 4),
        ("problems numerical/Algebra en", 1),
        ("problems numerical/Series each", 0),
        ("choices all", 6),
        ("perturbed all", 4),
        ("artefacts all", 18),
    ],
)
def test_counts(claim: str, value: int) -> None:
    measured = found(corpus(), claim)
    assert (measured.value, measured.n, measured.span) == (value, value, None)


@pytest.mark.parametrize(
    ("claim", "records"),
    [
        ("choices all", corpus(choices=None)),
        ("perturbed all", corpus(perturbed=None)),
        ("artefacts all", corpus(choices=None)),
        ("artefacts all", corpus(perturbed=None)),
        ("problems all all", data()),
        ("problems all each", data(languages=())),
        ("problems all fr", corpus()),
    ],
)
def test_a_count_of_what_the_run_does_not_have_is_missing(claim: str, records: Data) -> None:
    assert missing(records, claim)


def test_subdomains_are_missing_where_the_source_labels_none() -> None:
    records = data(held(*"ab", lang="bn", subdomain=None) + held("c", lang="bn", kind="proof"))
    assert missing(records, "problems numerical/Algebra each")
    assert found(records, "problems numerical each").value == 2
    assert found(records, "problems proof/Algebra each").value == 1


def test_subsets_are_counted() -> None:
    both = subsets(CNMO="ab", MATH500="cde") + subsets("zh", CNMO="ab", MATH500="cde")
    records = data(both, languages=("en", "zh"))
    assert found(records, "problems CNMO each").value == 2
    assert found(records, "problems MATH500 all").value == 6
    assert found(records, "problems all zh").value == 5


# MMATH


def mmath(**fields: Any) -> Data:
    """AIME2024: a; MATH500: b, c, d; two samples each, in English and Chinese."""
    rows = [
        row
        for lang, first, second in (("en", "ab", "abc"), ("zh", "", "b"))
        for sample, right in enumerate((first, second))
        for row in verdicts("native", right, "".join(sorted(set("abcd") - set(right))), lang=lang,
                            sample=sample, scorer="rules-paper")
    ]  # fmt: skip
    problems = subsets(AIME2024="a", MATH500="bcd") + subsets("zh", AIME2024="a", MATH500="bcd")
    return data(problems, rows, **({"languages": ("en", "zh")} | fields))


@pytest.mark.parametrize(
    ("claim", "value", "n"),
    [
        ("subset native AIME2024 m en", 100.0, 2),
        ("subset native MATH500 m en", 50.0, 6),
        ("subset native MATH500 m zh", 100 / 6, 6),
        ("subset_mean native AIME2024 m", 50.0, 4),
        ("subset_mean native MATH500 m", 100 / 3, 12),
        ("macro native m en", 75.0, 8),
        ("macro native m zh", 100 / 12, 8),
        ("macro_mean native m", (75 + 100 / 12) / 2, 16),
    ],
)
def test_subsets_and_macro_averages(claim: str, value: float, n: int) -> None:
    measured = found(mmath(), claim)
    assert measured.value == pytest.approx(value)
    assert (measured.n, measured.scorers, measured.files) == (n, ("rules-paper",), ())


def test_intervals_of_mmath_are_over_problems() -> None:
    records = mmath()
    one = found(records, "subset native AIME2024 m en").span
    assert one == close(wilson(1, 1))  # two samples of one problem
    three = found(records, "subset native MATH500 m en").span
    assert three == close(wilson(1.5, 3))  # a half right, over three problems
    assert found(records, "subset_mean native MATH500 m").span == close(wilson(1, 3))
    assert found(records, "macro native m en").span == close(
        macro_span((100.0, wilson(1, 1)), (50.0, wilson(1.5, 3)))
    )
    two = data(subsets(CNMO="ab", MATH500="cd"), verdicts("native", "ac", "bd"),
               languages=("en",))  # fmt: skip
    expected = macro_span((50.0, wilson(1, 2)), (50.0, wilson(1, 2)))
    assert found(two, "macro native m en").span == close(expected)
    assert found(two, "macro_mean native m").span == found(two, "macro native m en").span


def test_samples_of_a_problem_are_a_cluster() -> None:
    draw = random.Random(3)
    chances = {chr(ord("A") + at): draw.random() for at in range(40)}
    scores = {one: [draw.random() < chance for _ in range(4)] for one, chance in chances.items()}
    rows = [
        row
        for sample in range(4)
        for one in scores
        for row in verdicts("native", *([one] if scores[one][sample] else ["", one]),
                            sample=sample)
    ]  # fmt: skip
    records = data(subsets(AIME2024="".join(scores)), rows, languages=("en",))
    measured = found(records, "subset native AIME2024 m en")
    assert measured.n == 160
    assert measured.span == close(clustered(scores))
    right = sum(map(sum, scores.values()))
    wide, narrow = clustered(scores), wilson(right, 160)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize(
    "claim",
    ["subset native CNMO m en", "subset_mean native CNMO m", "subset_mean atp AIME2024 m",
     "macro atp m en", "macro native m fr", "macro_mean atp m"],
)  # fmt: skip
def test_what_mmath_has_no_records_of_is_missing(claim: str) -> None:
    assert missing(mmath(), claim)


@pytest.mark.parametrize("claim", ["subset_mean native AIME2024 m", "macro_mean native m"])
def test_a_mean_over_languages_needs_all_of_them(claim: str) -> None:
    assert missing(mmath(languages=("en", "zh", "fr")), claim)


def test_language_consistency_pools_all_responses() -> None:
    detected = labels("fr", ["fr", "en"], ["fr", "fr"]) + labels("zh", ["en", "en"])
    records = data(detected=detected)
    thinking = found(records, "lcr native m thinking")
    assert (thinking.value, thinking.n) == (25.0, 4)
    assert thinking.span == close(wilson(0.5, 2))  # problems 0 and 1 in both languages
    assert found(records, "lcr native m answering").value == 50.0
    assert missing(records, "lcr atp m thinking")


def by_target() -> Data:
    """AIME2024: English is thought in English, French in both, Chinese in English."""
    problems = [row for lang in ("en", "fr", "zh")
                for row in subsets(lang, AIME2024="0123", CNMO="4")]  # fmt: skip
    rows = [
        row
        for lang, right in (("en", "012"), ("fr", "03"), ("zh", "0"))
        for row in verdicts("native", right + "4", "".join(set("0123") - set(right)), lang=lang)
    ]
    detected = [*labels("en", ["en"] * 5), *labels("fr", ["fr", "fr", "en", "en", "en"]),
                *labels("zh", ["en", "en", "en", "en", "zh"])]  # fmt: skip
    return data(problems, rows, detected, languages=("en", "fr", "zh"))


@pytest.mark.parametrize(
    ("claim", "value", "n"),
    [
        ("target m en", 75.0, 4),
        ("target m fr", 50.0, 2),
        ("off_target m fr", 50.0, 2),
        ("off_target m zh", 25.0, 4),
        ("target_mean m", 62.5, 6),  # English and French; no Chinese one thinks in Chinese
        ("off_target_mean m", 37.5, 6),  # French and Chinese
    ],
)
def test_accuracy_in_and_off_the_questions_language(claim: str, value: float, n: int) -> None:
    measured = found(by_target(), claim)
    assert (measured.value, measured.n) == (value, n)


def test_a_language_without_such_responses_is_not_available() -> None:
    assert missing(by_target(), "off_target m en")
    assert missing(by_target(), "target m zh")
    assert found(by_target(), "target m en").span == close(wilson(3, 4))
    only = mmath()  # no labels
    for claim in ("target m en", "target_mean m", "off_target_mean m"):
        assert missing(only, claim)


# Languages of solutions, judges, samples


def solutions() -> Data:
    made = ["Bangla"] * 3 + ["English"] + ["Japanese"]
    mixed = ["Bangla + English"] * 4 + ["Bangla + Chinese + English"]
    rows = [(label, label) for label in made] + [("Mixed", scripts) for scripts in mixed]
    frame = pl.DataFrame(
        [{"setting": "cs-bn-bn", "model": "m", "id": str(number), "lang": "bn", "sample": 0,
          "label": label, "scripts": scripts} for number, (label, scripts) in enumerate(rows)],
        schema=COMPOSITIONS,
    )  # fmt: skip
    return data(compositions=frame, pairs=(("cs-bn-bn", "m"), ("cs-en-bn", "m")))


@pytest.mark.parametrize(
    ("claim", "value", "n"),
    [
        ("composition cs-bn-bn m Bangla count", 3, 10),
        ("composition cs-bn-bn m Bangla share", 30.0, 10),
        ("composition cs-bn-bn m Mixed share", 50.0, 10),
        ("composition cs-bn-bn m Chinese count", 0, 10),
        ("combination cs-bn-bn m Bangla+English count", 4, 5),
        ("combination cs-bn-bn m English+Bangla share", 80.0, 5),
        ("combination cs-bn-bn m English+Chinese+Bangla share", 20.0, 5),
        ("combination cs-bn-bn m Bangla+Chinese count", 0, 5),
    ],
)
def test_languages_of_solutions(claim: str, value: float, n: int) -> None:
    measured = found(solutions(), claim)
    assert (measured.value, measured.n) == (value, n)
    share = claim.endswith("share")
    assert measured.span == (close(wilson(round(value * n / 100), n)) if share else None)


def test_solutions_without_text_give_nothing() -> None:
    assert missing(solutions(), "composition cs-en-bn m Bangla count")
    assert missing(solutions(), "combination cs-en-bn m Bangla+English share")


def test_all_judges_of_a_setting_are_named() -> None:
    records = data(
        held(*"abc"),
        verdicts("cot", "a", judge="Qwen3-4B", scorer="judge-q")
        + verdicts("cot", "b", judge="Gemini", model="silent", scorer="judge-g", file="x.json")
        + verdicts("cot", "c")
        + verdicts("mcq", "c"),
    )
    judge = found(records, "judge cot")
    assert (judge.value, judge.n, judge.span) == ("Gemini, Qwen3-4B", 2, None)
    assert (judge.scorers, judge.files) == (("judge-g", "judge-q"), ("x.json",))
    assert missing(records, "judge mcq") and missing(records, "judge zero-shot")


def test_samples_are_the_most_to_one_question() -> None:
    records = data(
        held(*"ab"),
        verdicts("native", "a", "b", sample=0) + verdicts("native", "", "b", sample=1)
        + verdicts("native", "", "b", model="silent", sample=2)
        + verdicts("native", "", "b", lang="zh", sample=2),
    )  # fmt: skip
    samples = found(records, "samples native")
    assert (samples.value, samples.n) == (2, 5)
    assert missing(records, "samples atp")


# What is asked for


def test_measures_are_those_that_the_ledger_may_name() -> None:
    assert set(NAMED) == {*ARGUMENTS} == {*MEASURES, "fact", "arithmetic"}


@pytest.mark.parametrize("formula", MEASURES)
def test_arguments_are_those_of_the_measures_functions(formula: str) -> None:
    _, *taken = inspect.signature(MEASURES[formula]).parameters
    assert len(taken) == len(ARGUMENTS[formula])


@pytest.mark.parametrize("formula", ["fact", "arithmetic", "median", ""])
def test_what_is_no_measure_gives_nothing(formula: str) -> None:
    assert measure(by_kind(), formula, ["zero-shot", "m", "en", "all"]) is None


@pytest.mark.parametrize(
    "claim",
    [
        "accuracy zero-shot m en",
        "accuracy zero-shot m en all all",
        "accuracy zero-shot m en numeric",
        "accuracy zero-shot unknown en",
        "accuracy unknown m en all",
        "accuracy zero-shot m english all",
        "judge CoT",
        "choices each",
        "change cot m en all",
        "change cot zero-shot m en geometry",
        "language_mean m en",
        "detection m",
        "problems all",
        "problems numeric each",
        "problems numerical/Word each",
        "problems proof/Word_Problem each",
        "choices",
        "artefacts all all",
        "subset native AIME m en",
        "subset_mean native AIME m",
        "macro native m",
        "lcr native m raw",
        "target m",
        "composition cs-bn-bn m bangla count",
        "composition cs-bn-bn m Bangla percent",
        "combination cs-bn-bn m Bangla+English",
        "combination cs-bn-bn m Bangla+English number",
        "judge",
        "samples native m",
    ],
)
@pytest.mark.parametrize("records", [by_kind, data])
def test_arguments_that_a_measure_does_not_take(claim: str, records: Callable[[], Data]) -> None:
    formula, *arguments = claim.split()
    with pytest.raises(ValueError) as caught:
        measure(records(), formula, arguments)
    wanted = len(ARGUMENTS[formula])
    if len(arguments) != wanted:
        assert str(caught.value) == f"{formula} takes {wanted} arguments, not {len(arguments)}"
    else:
        assert str(caught.value).split(" is none of ")[0] in arguments


def test_a_word_that_a_measure_does_not_take_is_told_with_those_it_takes() -> None:
    for claim, told in (
        ("lcr native m raw", "raw is none of thinking, answering"),
        ("judge CoT", "CoT is none of zero-shot, cot, cs-bn-en"),
        ("detection m english", "english is none of bn, en, fr"),
        ("composition cs-bn-bn m Bangla percent", "percent is none of count, share"),
    ):
        formula, *arguments = claim.split()
        with pytest.raises(ValueError, match=told):
            measure(data(), formula, arguments)


def test_arguments_name_any_model_of_a_run_and_those_of_the_papers_in_the_ledger() -> None:
    assert fault("macro_mean", ["native", "m"], ()) is None
    assert fault("macro_mean", ["native", "m"], ["n", "m"]) is None
    assert fault("macro_mean", ["native", "m"], ["n"]) == "m is none of n"
    assert str(fault("macro_mean", ["native", "m"])).startswith("m is none of gpt-oss-20b")
    assert {*COUNTS, *WIDE} <= {*MEASURES}


def test_a_fault_inside_a_measure_is_not_taken_for_wrong_arguments() -> None:
    broken = data(held("a"), verdicts("cot", "a"), cot_columns=None)
    with pytest.raises(AttributeError):
        measure(broken, "accuracy", ["cot", "m", "en", "all"])


def test_a_model_without_records_gives_nothing_by_any_measure() -> None:
    arguments = {
        "accuracy": "zero-shot x en all", "change": "cot zero-shot x en all",
        "detection": "x en", "identification": "x en", "f1": "x en", "language_mean": "x",
        "language_sd": "x", "subset": "native CNMO x en", "subset_mean": "native CNMO x",
        "macro": "native x en", "macro_mean": "native x", "lcr": "native x thinking",
        "target": "x en", "off_target": "x en", "target_mean": "x", "off_target_mean": "x",
        "composition": "cs-bn-bn x Bangla count", "combination": "cs-bn-bn x Bangla+English count",
    }  # fmt: skip
    assert {*arguments, *["problems", "choices", "perturbed", "artefacts", "judge", "samples"]} == {
        *MEASURES
    }
    for formula, words in arguments.items():
        for records in (data(), by_kind()):
            assert missing(records, f"{formula} {words}")
        asked = data(pairs=(("native", "x"),))  # asked, and nothing came back
        assert missing(asked, f"{formula} {words}"), formula


def test_every_claim_of_the_ledger_is_taken_by_its_measure(repository: Path) -> None:
    for claim in load_claims(repository / "config" / "printed" / "claims.csv").values():
        assert measure(data(), claim.formula, claim.records) is None, claim.id


# Intervals


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (81, 263, 25.53, 36.62),  # Newcombe 1998, table I, method 3
        (15, 148, 6.24, 16.05),
        (0, 20, 0.0, 16.11),
        (1, 29, 0.61, 17.18),
        (0, 10, 0.0, 27.75),
        (10, 10, 72.25, 100.0),
    ],
)
def test_the_interval_of_an_accuracy_is_the_published_one(
    right: int, n: int, low: float, high: float
) -> None:
    letters = [chr(0x4E00 + at) for at in range(n)]
    rows = verdicts("cot", "".join(letters[:right]), "".join(letters[right:]))
    span = found(data(held(*letters), rows), "accuracy cot m en all").span
    assert span == pytest.approx((low, high), abs=0.005)
    assert shares.wilson(right / n, n) == pytest.approx((low / 100, high / 100), abs=5e-5)


@UNTIMED
@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_holds_the_share_and_solves_its_equation(pair: tuple[int, int]) -> None:
    right, n = pair
    low, high = shares.wilson(right / n, n)
    p = right / n
    assert 0 <= low <= p <= high <= 1
    for end in (low, high):
        assert (p - end) ** 2 == pytest.approx(Z**2 * end * (1 - end) / n, abs=1e-9)


VALUES = st.lists(st.sampled_from([0, 1]), min_size=1, max_size=30)


@UNTIMED
@given(st.lists(VALUES, min_size=1, max_size=4))
def test_interval_of_a_macro_average(groups: list[list[int]]) -> None:
    rows = [(f"{at}.{number}", bool(value), str(at))
            for at, group in enumerate(groups) for number, value in enumerate(group)]  # fmt: skip
    schema = {"id": pl.String, "score": pl.Boolean, "stratum": pl.String}
    measured = frames.measured(pl.DataFrame(rows, schema=schema, orient="row"))
    parts = [(100 * sum(one) / len(one), wilson(sum(one), len(one))) for one in groups]
    assert measured is not None and measured.value == pytest.approx(
        sum(value for value, _ in parts) / len(parts)
    )
    low, high = macro_span(*parts)
    assert measured.span == close((max(low, 0.0), min(high, 100.0)))


def test_one_problem_has_an_interval_of_its_share_and_none_of_a_deviation() -> None:
    rows = verdicts("cross-lingual", "a") + verdicts("cross-lingual", "", "a", lang="bn")
    one = data(held("a") + held("a", lang="bn"), rows)
    assert found(one, "accuracy cross-lingual m en all").span == close(wilson(1, 1))
    deviation = found(one, "language_sd m")
    assert (deviation.value, deviation.span) == (50.0, None)
    assert frames.measured(columns("")["0"]) is None
    assert deviation_span(columns("1", "0")) is deviation_span(columns("", "")) is None


COLUMNS = ["".join(str(int(number % step == 0)) for number in range(60)) for step in (2, 3, 5)]


def columns(*digits: str) -> dict[str, pl.DataFrame]:
    """Scores of the same problems by language, a digit a problem."""
    schema = {"id": pl.String, "score": pl.Boolean}
    return {
        str(at): pl.DataFrame(
            [(f"{number:02d}", digit == "1") for number, digit in enumerate(each)],
            schema=schema,
            orient="row",
        )
        for at, each in enumerate(digits)
    }


def test_interval_of_a_deviation_is_repeatable() -> None:
    backwards = {lang: one.reverse() for lang, one in columns(*COLUMNS).items()}
    assert deviation_span(columns(*COLUMNS)) == deviation_span(backwards)


def test_interval_of_a_deviation_holds_what_agrees_with_it() -> None:
    """In plain Python: at each end, as large (or as small) a deviation of the means that are seen
    has a chance of 2.5% under a scaled noncentral chi-squared distribution."""
    languages, n = len(COLUMNS), 60
    values = [[float(digit) for digit in one] for one in COLUMNS]
    means = [sum(one) / n for one in values]
    grand = sum(means) / languages
    apart = [one - grand for one in means]
    rows = [sum(one[at] for one in values) / languages for at in range(n)]
    rest = [[one[at] - rows[at] for at in range(n)] for one in values]
    spread = [
        [sum((a - d1) * (b - d2) for a, b in zip(one, two, strict=True)) / (n - 1) / n
         for two, d2 in zip(rest, apart, strict=True)]
        for one, d1 in zip(rest, apart, strict=True)
    ]  # fmt: skip
    total = sum(spread[at][at] for at in range(languages))
    found = pstdev(means)
    along = sum(
        apart[i] * spread[i][j] * apart[j] for i in range(languages) for j in range(languages)
    )
    scale = max(
        sum(cell**2 for row in spread for cell in row) / total, along / found**2 / languages
    )
    df = min(total / scale, languages - 1)
    scale *= (t.ppf(0.975, n - 1) / norm.ppf(0.975)) ** 2
    span = deviation_span(columns(*COLUMNS))
    assert span is not None and 0 < span[0] < 100 * found < span[1]
    for end, chance in zip(span, (0.975, 0.025), strict=True):
        true = languages * (end / 100) ** 2 / scale
        seen = languages * found**2 / scale
        assert ncx2.cdf(seen, df, true) == pytest.approx(chance, abs=1e-6)


def test_equal_columns_may_deviate_a_little_on_other_problems() -> None:
    low, high = deviation_span(columns(*[COLUMNS[0]] * 3)) or (-1.0, -1.0)
    assert low == 0 and 0 < high < 10


# Records from files


def scored(scorer: str, correct: bool, **fields: Any) -> Verdict:
    values: dict[str, Any] = {
        "id": "a", "lang": "en", "sample": 0, "scorer": scorer,
        "status": "correct" if correct else "wrong", "correct": correct, "extracted": "5",
        "gold": "5", "rewrites": [], "judge": None, "provenance": {},
    }  # fmt: skip
    return Verdict.model_validate(values | fields)


FACTS: dict[str, Any] = {
    "models": {"m": ["Model", None]},
    "language_names": NAMES,
    "languages": ["en"],
    "source_languages": ["en"],
    "cot_columns": {"bn": "cot", "en": "cot"},
    "paper": [["cot", "m"], ["mcq", "m"]],
    "strict": [["cot", "m"], ["mcq", "m"]],
    "labels": [["cot", "m"]],
    "generations": [["cot", "m"]],
    "released": {"m": True, "problems": True, "choices": True, "perturbed": False},
}


def test_evidence_has_both_readings_and_own_records_apart(tmp_path: Path) -> None:
    def saved(name: str, *records: Any) -> str:
        save_records(tmp_path / name, records)
        return str(tmp_path / name)

    shared = saved("shared", scored("judge-a", True))
    part = PartLabel(paper="en", strict="und", p=0.9, scripts={})
    spoken = LanguageRecord(id="a", lang="en", sample=0, thinking=part, answering=part, flags=[])
    item = ChoiceItem(id="a", lang="en", question="q", options=["1", "2", "3", "4"], key="A",
                      sources=[], provenance={})  # fmt: skip
    files = {
        "problems": [saved("problems", problem(1))],
        "choices": [saved("choices", item)],
        "perturbed": [saved("perturbed", perturbed(1), perturbed(2))],
        "paper": [shared, saved("paper", scored("letter-paper", False))],
        "strict": [shared, saved("strict", scored("letter-strict", True))],
        "labels": [saved("labels", spoken)],
        "generations": [saved("generations", generation("Thus it holds."))],
    }
    found = evidence(FACTS, files)
    paper, strict, own = found.released, found.reread, found.own
    assert (paper.protocol, strict.protocol, own.protocol) == ("paper", "strict", "paper")
    assert (paper.choices, paper.perturbed, paper.problems.height) == (1, None, 1)
    assert (own.choices, own.perturbed, own.problems.height) == (None, 2, 1)
    assert own.verdicts.is_empty() and own.pairs == () and own.compositions.is_empty()
    assert paper.pairs == strict.pairs == (("cot", "m"), ("mcq", "m"))
    assert paper.compositions["label"].to_list() == ["English"]
    assert paper.labels["thinking"].to_list() == ["en"]
    read = {
        name: {(row["setting"], row["scorer"], row["correct"]) for row in one.verdicts.to_dicts()}
        for name, one in (("paper", paper), ("strict", strict))
    }
    assert read == {
        "paper": {("cot", "judge-a", True), ("mcq", "letter-paper", False)},
        "strict": {("cot", "judge-a", True), ("mcq", "letter-strict", True)},
    }
    made = evidence(FACTS | {"released": {}}, files)
    assert made.released.verdicts.is_empty() and made.reread.verdicts.is_empty()
    assert made.own.verdicts.equals(paper.verdicts) and made.own.pairs == paper.pairs


def test_evidence_of_a_run_without_records_is_empty() -> None:
    nothing = {kind: [] for kind in ("paper", "strict", "labels", "generations")}
    empty = evidence(FACTS | nothing, {})
    paper, strict = empty.released, empty.reread
    assert paper.problems.is_empty() and paper.verdicts.is_empty() and strict.labels.is_empty()
    assert (paper.choices, paper.perturbed, paper.pairs) == (None, None, ())
    assert missing(paper, "accuracy cot m en all") and missing(strict, "problems all all")
