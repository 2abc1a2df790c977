"""Responses of the evaluated models.

Needs: problems, and for some settings choices or flawed solutions; the setting's prompts.
Gives: results/{benchmark}/generations/{setting}/{model}.jsonl, all question languages inside: one
job loads a model once.
"""


rule generate:
    """Ask {wildcards.model} the {wildcards.benchmark} questions of setting {wildcards.setting}."""
    input:
        unpack(material),
    output:
        f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
    log:
        "logs/generate/{benchmark}.{setting}.{model}.log",
    wildcard_constraints:
        model=one_of(asked_models()),
    conda:
        lambda w: engine_env([w.model])
    threads: lambda w: threads_for([w.model])
    resources:
        **asking(lambda w: [w.model]),
    params:
        asked=asked_by,
        models=lambda w: dumped([w.model]),
        prompts=lambda w: PROMPTS,
        journal=CONFIG.paths.journal,
        code=code("generate"),
    script:
        "../scripts/generate.py"
