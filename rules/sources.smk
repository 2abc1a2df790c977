"""Raw sources to problems.

Needs: a benchmark's raw files, bundled, local, or fetched at a pinned commit.
Gives: results/{benchmark}/problems/{lang}.jsonl for the source languages.
Steps: fetch where there is no local copy; import.
"""

PROBLEMS = [
    one
    for name, benchmark in BENCHMARKS.items()
    for one in problem_files(name, benchmark.languages)
]


rule fetch_release:
    """Fetch the released repository of {wildcards.benchmark} at its pinned commit and check it."""
    input:
        languages=lambda w: language_files(source_languages(w.benchmark)),
    output:
        f"{R}/run/fetched-{{benchmark}}.json",
    log:
        "logs/fetch_release/{benchmark}.log",
    conda:
        "../envs/scoring.yaml"
    params:
        source=lambda w: BENCHMARKS[w.benchmark].source.model_dump(),
        folder=lambda w: raw_folder(w.benchmark),
        files=lambda w: raw_files(w.benchmark),
        code=code("fetch_release"),
    script:
        "../scripts/fetch_release.py"


rule import_mathmist:
    """Import the MathMist problems in {wildcards.lang} from the raw source."""
    input:
        raw=lambda w: raw_inputs("mathmist"),
        language=f"{CONFIG.paths.languages}/{{lang}}.yaml",
    output:
        problems=f"{R}/mathmist/problems/{{lang}}.jsonl",
        oddities=f"{R}/run/oddities/mathmist.problems.{{lang}}.csv",
    log:
        "logs/import_problems/mathmist.{lang}.log",
    wildcard_constraints:
        lang=one_of(source_languages("mathmist")),
    priority: 10  # the longest chain of jobs
    conda:
        "../envs/scoring.yaml"
    params:
        benchmark="mathmist",
        raw=lambda w: raw_file("mathmist", w.lang),
        stamps=lambda w: stamps([raw_file("mathmist", w.lang)]),
        folder=lambda w: raw_folder("mathmist"),
        release=lambda w: MATHMIST.source.format == "released",
        subset=lambda w: MATHMIST.subset.model_dump(),
        seed=CONFIG.seed,
        code=code("import_problems"),
    script:
        "../scripts/import_problems.py"


use rule import_mathmist as import_mmath with:
    input:
        raw=lambda w: raw_inputs("mmath"),
        language=f"{CONFIG.paths.languages}/{{lang}}.yaml",
    output:
        problems=f"{R}/mmath/problems/{{lang}}.jsonl",
        oddities=f"{R}/run/oddities/mmath.problems.{{lang}}.csv",
    log:
        "logs/import_problems/mmath.{lang}.log",
    wildcard_constraints:
        lang=one_of(source_languages("mmath")),
    params:
        benchmark="mmath",
        raw=lambda w: raw_file("mmath", w.lang),
        stamps=lambda w: stamps([raw_file("mmath", w.lang)]),
        folder=lambda w: raw_folder("mmath"),
        release=lambda w: MMATH.source.format == "released",
        subset=lambda w: MMATH.subset.model_dump(),
        seed=CONFIG.seed,
        code=code("import_problems"),
