"""Constraints on wildcards and the look-ups that several rule files share."""

import os
import re
from types import SimpleNamespace

from babelmath.config import RUNNING, TOLD, asked_as, benchmarks, roles
from babelmath.engines import named_options
from babelmath.fingerprint import code_of
from babelmath.shards import Shard, split
from babelmath.stamps import stamp, stamp_of, stamps

R = CONFIG.paths.results
# Seen from the working folder: the same in a clone that was moved with its results.
RESOURCES = os.path.relpath(HOME / "resources")
PROMPTS = CONFIG.paths.prompts
REVIEW = CONFIG.paths.review
BENCHMARKS = benchmarks(CONFIG)
MATHMIST = BENCHMARKS.get("mathmist")
MMATH = BENCHMARKS.get("mmath")
SPLIT = split(CONFIG)


report: "../resources/report/workflow.rst"


def one_of(names):
    """A regular expression for one of these names, or for none."""
    return "|".join(map(re.escape, names)) or "(?!)"


def benchmark_where(is_split):
    """A benchmark's name before a setting and model that are split into shards, or before others:
    of two rules that write responses, exactly one fits."""
    held = one_of(f"{name}/generations/{a}/{b}.jsonl" for name, a, b in SPLIT)
    return f"(?{'=' if is_split else '!'}(?:{held})$)(?:{one_of(BENCHMARKS)})"


wildcard_constraints:
    benchmark=one_of(BENCHMARKS),
    lang=one_of(LANGUAGES),
    model=one_of(CONFIG.models),
    judge=one_of(CONFIG.judges),
    setting=one_of({name for one in BENCHMARKS.values() for name in one.settings}),


def code(script):
    """Hash of a script and of all it imports from the library."""
    return code_of(HOME / "scripts" / f"{script}.py", HOME / "scripts" / "babelmath")


def setting_of(wildcards):
    return BENCHMARKS[wildcards.benchmark].settings[wildcards.setting]


def source_languages(benchmark):
    return BENCHMARKS[benchmark].source_languages if benchmark in BENCHMARKS else []


def built_languages(benchmark):
    """Languages of multiple-choice items and flawed solutions: a release has them in bn and en."""
    if benchmark not in BENCHMARKS:
        return []
    release = BENCHMARKS[benchmark].source.format == "released"
    return [one for one in source_languages(benchmark) if not release or one in ("bn", "en")]


def asked_models():
    """Models that a job asks; those of released records are only read."""
    return [name for name, one in CONFIG.models.items() if one.engine != "released"]


def judges_asked():
    return [name for name, one in CONFIG.judges.items() if one.model in asked_models()]


def made_languages(benchmark):
    """Languages that a benchmark gets by translation."""
    given = source_languages(benchmark)
    return [one for one in BENCHMARKS[benchmark].languages if one not in given] if given else []


def building_models(benchmark, *sections):
    """Models at work in building sections of a benchmark."""
    if benchmark not in BENCHMARKS:
        return []
    found = roles((), BENCHMARKS[benchmark])
    return list(dict.fromkeys(role.model for place, role in found if place[0] in sections))


def dumped(names):
    """What models are, for params: what decides over their answers and the reading of them."""
    models = {name: asked_as(CONFIG, name) for name in names}
    return {
        name: one.model_dump(exclude=TOLD | RUNNING)
        | {"display": name, "weights": stamp(one), "options": named_options(one)}
        for name, one in models.items()
    }


def running(names):
    """How models are run, for params that rerun nothing.

    Snakemake compares params of plain types alone; of any other, as a namespace or a Path, it
    holds no record. Where the weights lie is of no matter as long as they are the same.
    """
    kept = RUNNING | {"weights", "options"}
    models = {name: asked_as(CONFIG, name).model_dump(include=kept) for name in names}
    return SimpleNamespace(models=models)
