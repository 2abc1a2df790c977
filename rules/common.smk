"""Constraints on wildcards and the look-ups that several rule files share."""

import re
import shutil

from babelmath.config import asked_as, benchmarks, roles
from babelmath.fingerprint import code_of
from babelmath.locks import locked
from babelmath.shards import Shard, split

R = CONFIG.paths.results
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
    """Models' configurations as plain values, for params: without what estimates, tables and
    clusters take, which is no reason to run a job again."""
    other = {"parameters", "price", "tokens_per_second", "trained_from", "shards"}
    other |= {"cpus", "memory_mb", "runtime_min", "gpu_model"}
    return {
        name: asked_as(CONFIG, name).model_dump(exclude=other) | {"display": name} for name in names
    }


def clear_stale_locks():
    """Remove Snakemake's locks that a killed run left in this folder.

    Every process holds a shared file lock of its own as long as it lives. Who gets it exclusively
    knows that no other is alive, so Snakemake's lock files can only be leftovers; who does not
    leaves them alone, and Snakemake decides.
    """
    place = Path(".snakemake")
    place.mkdir(exist_ok=True)
    handle = open(place / "babelmath.lock", "a+")
    if locked(handle, wait=False):
        shutil.rmtree(place / "locks", ignore_errors=True)
        (place / "locks").mkdir()
    locked(handle, shared=True)
    return handle


if workflow.is_main_process:
    RUN_LOCK = clear_stale_locks()
