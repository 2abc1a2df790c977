"""Table functions by paper and name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from babelmath.tables import mathmist, mmath
from babelmath.tables.composition import language_composition
from babelmath.tables.construction import construction_outcomes
from babelmath.tables.data import Data
from babelmath.tables.frame import Table

TABLES: dict[tuple[str, str], Callable[[Data], Table]] = {
    ("mathmist", "corpus_stat"): mathmist.corpus_stat,
    ("mathmist", "construction_outcomes"): partial(construction_outcomes, "mathmist"),
    ("mathmist", "zero_cot"): mathmist.zero_cot,
    ("mathmist", "zero_cot_en_bn_category_wise"): mathmist.zero_cot_by_kind,
    ("mathmist", "zero_shot_mcq"): mathmist.zero_shot_mcq,
    ("mathmist", "perturbation_eval"): mathmist.perturbation_eval,
    ("mathmist", "code_switch_breakdown"): mathmist.code_switch_breakdown,
    ("mathmist", "cross_ling_accuracy"): mathmist.cross_lingual_table,
    ("mathmist", "lang_stats_bn_bn"): partial(language_composition, "cs-bn-bn"),
    ("mathmist", "lang_stats_en_bn"): partial(language_composition, "cs-en-bn"),
    ("mmath", "problems"): mmath.problem_counts,
    ("mmath", "construction_outcomes"): partial(construction_outcomes, "mmath"),
    ("mmath", "table2"): mmath.main_results,
    ("mmath", "table3"): mmath.language_consistency,
}
