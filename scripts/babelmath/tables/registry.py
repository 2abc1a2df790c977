"""Table functions by paper and name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from babelmath.tables import mathmist, mmath
from babelmath.tables.agreement import judge_agreement
from babelmath.tables.composition import language_composition
from babelmath.tables.construction import construction_outcomes
from babelmath.tables.data import Data
from babelmath.tables.frame import Table
from babelmath.tables.golds import golds
from babelmath.tables.labels import label_confusion, label_review, label_shares
from babelmath.tables.protocols import protocols
from babelmath.tables.samples import samples

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
    ("mathmist", "samples"): partial(samples, "mathmist"),
    ("mathmist", "golds"): partial(golds, "mathmist"),
    ("mathmist", "protocols"): partial(protocols, "mathmist"),
    ("mathmist", "judge_agreement"): partial(judge_agreement, "mathmist"),
    ("mmath", "problems"): mmath.problem_counts,
    ("mmath", "construction_outcomes"): partial(construction_outcomes, "mmath"),
    ("mmath", "table2"): mmath.main_results,
    ("mmath", "table3"): mmath.language_consistency,
    ("mmath", "label_shares"): label_shares,
    ("mmath", "label_review"): label_review,
    ("mmath", "label_confusion"): label_confusion,
    ("mmath", "samples"): partial(samples, "mmath"),
    ("mmath", "golds"): partial(golds, "mmath"),
    ("mmath", "protocols"): partial(protocols, "mmath"),
    ("mmath", "judge_agreement"): partial(judge_agreement, "mmath"),
}
