"""The tables by paper and name, each from the records to its numbers."""

from __future__ import annotations

from collections.abc import Callable

from recount.mathmist import (
    code_switch_breakdown,
    composition,
    corpus_stat,
    cross_ling_accuracy,
    data_comparison,
    perturbation_eval,
    zero_cot,
    zero_cot_by_kind,
    zero_shot_mcq,
)
from recount.mmath import (
    label_confusion,
    label_review,
    problem_counts,
    table1,
    table2,
    table3,
    table4,
    table5,
    table6,
    table7,
    table8,
    table13,
    table14,
)
from recount.reading import Found, Records
from recount.scoring import (
    construction_outcomes,
    golds,
    judge_agreement,
    label_shares,
    outcomes,
    protocols,
    samples,
)
from recount.testing import language_tests, setting_tests

OF_BOTH = {
    "construction_outcomes": construction_outcomes, "golds": golds, "protocols": protocols,
    "judge_agreement": judge_agreement, "label_shares": label_shares, "samples": samples,
    "outcomes": outcomes, "tests_settings": setting_tests, "tests_languages": language_tests,
}  # fmt: skip
RECOMPUTED: dict[tuple[str, str], Callable[[Records], Found]] = {
    **{("mathmist", one.__name__): one for one in (
        data_comparison, corpus_stat, zero_cot, zero_shot_mcq, perturbation_eval,
        code_switch_breakdown, cross_ling_accuracy)},
    ("mathmist", "zero_cot_en_bn_category_wise"): zero_cot_by_kind,
    **{("mathmist", f"lang_stats_{lang}_bn"): composition(f"cs-{lang}-bn", ("m1", "m2", "rel"))
       for lang in ("bn", "en")},
    ("mmath", "problems"): problem_counts,
    **{("mmath", one.__name__): one for one in (
        table1, table2, table3, table4, table5, table6, table7, table8, table13, table14,
        label_review, label_confusion)},
    **{(paper, name): made(paper) for paper in ("mathmist", "mmath")
       for name, made in OF_BOTH.items()},
}  # fmt: skip
