"""Languages of responses.

Needs: generations, a fastText identification model.
Gives: results/{benchmark}/languages/{setting}/{model}.jsonl with the paper's and strict labels.
"""

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
        generations=f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
    output:
        f"{R}/{{benchmark}}/languages/{{setting}}/{{model}}.jsonl",
    log:
        "logs/identify_languages/{benchmark}.{setting}.{model}.log",
    conda:
        "../envs/languages.yaml"
    params:
        how=CONFIG.identification.model_dump(),
        code=code("identify_languages"),
    script:
        "../scripts/identify_languages.py"
