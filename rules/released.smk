"""Released MathMist records: multiple-choice items, flawed solutions, responses with verdicts.

Needs: the release, local or fetched; problems. Only where models or sections are not configured to
be asked or built.
Gives: the same files as building and asking do, and results/run/oddities/ with what was odd.
"""


rule import_choices:
    """Import the released multiple-choice items."""
    input:
        raw=release_files("Data/MCQ/*.jsonl", "Data/Original Corpus/*.jsonl"),
        problems=problem_files("mathmist", built_languages("mathmist")),
        languages=language_files(built_languages("mathmist")),
    output:
        choices=choice_files() if imported_section("choices") else [],
        oddities=f"{R}/run/oddities/mathmist.choices.csv",
    log:
        "logs/import_choices.log",
    priority: 10  # the longest chain of jobs
    conda:
        "../envs/scoring.yaml"
    params:
        stamps=stamps(release_files("Data/MCQ/*.jsonl", "Data/Original Corpus/*.jsonl")),
        folder=lambda w: raw_folder("mathmist"),
        languages=built_languages("mathmist"),
        code=code("import_choices"),
    script:
        "../scripts/import_choices.py"


rule import_flawed:
    """Import the released flawed solutions of all strategies."""
    input:
        raw=release_files("Data/Perturbation/*/*.jsonl", "Data/Original Corpus/*.jsonl"),
        problems=problem_files("mathmist", built_languages("mathmist")),
        languages=language_files(built_languages("mathmist")),
    output:
        perturbed=flawed_files() if imported_section("perturbation") else [],
        oddities=f"{R}/run/oddities/mathmist.flawed.csv",
    log:
        "logs/import_flawed.log",
    conda:
        "../envs/scoring.yaml"
    params:
        stamps=stamps(release_files("Data/Perturbation/*/*.jsonl", "Data/Original Corpus/*.jsonl")),
        folder=lambda w: raw_folder("mathmist"),
        languages=built_languages("mathmist"),
        code=code("import_flawed"),
    script:
        "../scripts/import_flawed.py"


rule import_records:
    """Import the released responses and verdicts of all models and settings."""
    input:
        raw=release_files(RESULTS),
        problems=problem_files("mathmist", MATHMIST.languages if MATHMIST else []),
        choices=choice_files() if imported_section("choices") else [],
        languages=language_files(MATHMIST.languages if MATHMIST else []),
    output:
        generations=[
            f"{R}/mathmist/generations/{setting}/{model}.jsonl"
            for setting, models in released_settings().items()
            for model in models
        ],
        verdicts=[
            f"{R}/mathmist/verdicts/{setting}/{model}/{scorer}.jsonl"
            for setting, models in released_settings().items()
            for model, scorers in models.items()
            for scorer in scorers
        ],
        oddities=f"{R}/run/oddities/mathmist.records.csv",
    log:
        "logs/import_records.log",
    priority: 10  # the longest chain of jobs
    conda:
        "../envs/scoring.yaml"
    params:
        stamps=stamps(release_files(RESULTS)),
        folder=lambda w: raw_folder("mathmist"),
        root=lambda w: f"{R}/mathmist",
        settings=released_settings(),
        models={
            name: one.released_as
            for name, one in CONFIG.models.items()
            if any(name in models for models in released_settings().values())
        },
        whole=lambda w: MATHMIST.subset == Selection(),
        code=code("import_records"),
    script:
        "../scripts/import_records.py"
