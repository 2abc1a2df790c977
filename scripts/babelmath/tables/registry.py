"""Table functions by paper and name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from babelmath.tables import mathmist, mmath_tables
from babelmath.tables.agreement import judge_agreement
from babelmath.tables.compared import mathmist_comparison, mmath_comparison
from babelmath.tables.composition import language_composition
from babelmath.tables.construction import construction_outcomes
from babelmath.tables.data import Data
from babelmath.tables.frame import Table
from babelmath.tables.golds import golds
from babelmath.tables.labels import label_confusion, label_review, label_shares
from babelmath.tables.notes import common_notes
from babelmath.tables.outcomes import outcomes
from babelmath.tables.paired import language_tests, setting_tests
from babelmath.tables.protocols import protocols
from babelmath.tables.samples import samples

BOTH: dict[str, Callable[[str, Data], Table]] = {
    "construction_outcomes": construction_outcomes,
    "golds": golds,
    "protocols": protocols,
    "judge_agreement": judge_agreement,
    "label_shares": label_shares,
    "samples": samples,
    "outcomes": outcomes,
    "tests_settings": setting_tests,
    "tests_languages": language_tests,
}
TABLES: dict[tuple[str, str], Callable[[Data], Table]] = {
    ("mathmist", "data_comparison"): mathmist_comparison,
    ("mathmist", "corpus_stat"): mathmist.corpus_stat,
    ("mathmist", "zero_cot"): mathmist.zero_cot,
    ("mathmist", "zero_cot_en_bn_category_wise"): mathmist.zero_cot_by_kind,
    ("mathmist", "zero_shot_mcq"): mathmist.zero_shot_mcq,
    ("mathmist", "perturbation_eval"): mathmist.perturbation_eval,
    ("mathmist", "code_switch_breakdown"): mathmist.code_switch_breakdown,
    ("mathmist", "cross_ling_accuracy"): mathmist.cross_lingual_table,
    ("mathmist", "lang_stats_bn_bn"): partial(language_composition, "cs-bn-bn"),
    ("mathmist", "lang_stats_en_bn"): partial(language_composition, "cs-en-bn"),
    ("mmath", "table1"): mmath_comparison,
    ("mmath", "problems"): mmath_tables.problem_counts,
    ("mmath", "table2"): mmath_tables.main_results,
    ("mmath", "table3"): mmath_tables.language_consistency,
    ("mmath", "table4"): mmath_tables.target_thinking,
    ("mmath", "table5"): mmath_tables.elicitation_accuracy,
    ("mmath", "table6"): mmath_tables.elicitation_consistency,
    ("mmath", "table7"): mmath_tables.training_accuracy,
    ("mmath", "table8"): mmath_tables.training_consistency,
    ("mmath", "table13"): mmath_tables.subset_results,
    ("mmath", "table14"): mmath_tables.training_by_subset,
    ("mmath", "label_review"): label_review,
    ("mmath", "label_confusion"): label_confusion,
    **{
        (paper, name): partial(made, paper)
        for paper in ("mathmist", "mmath")
        for name, made in BOTH.items()
    },
}


def make_table(paper: str, name: str, base: str, data: Data) -> Table:
    """The table that goes by `base`, under its own name, with the notes that all tables have."""
    table = TABLES[paper, base](data)
    return replace(table, name=name, notes=[*table.notes, *common_notes(table)])
