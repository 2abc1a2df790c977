"""Responses of the evaluated models.

Needs: problems, and for some settings choices or flawed solutions; the setting's prompts.
Gives: results/{benchmark}/generations/{setting}/{model}.jsonl, all question languages inside: one
job loads a model once. Where a model's questions are split, each shard's job gives
results/{benchmark}/shards/{setting}/{model}/{shard}-of-{shards}.jsonl, and these are merged.
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
        benchmark=benchmark_where(is_split=False),
        model=one_of(asked_models()),
    conda:
        lambda w: engine_env([w.model])
    threads: lambda w: threads_for([w.model])
    resources:
        **asking(lambda w: [w.model]),
    params:
        asked=asked_by,
        models=lambda w: dumped([w.model]),
        running=lambda w: running([w.model]),
        prompts=lambda w: PROMPTS,
        journal=Path(CONFIG.paths.journal),
        code=code("generate"),
    script:
        "../scripts/generate.py"


use rule generate as generate_shard with:
    output:
        f"{R}/{{benchmark}}/shards/{{setting}}/{{model}}/{{shard}}-of-{{shards}}.jsonl",
    log:
        "logs/generate_shard/{benchmark}.{setting}.{model}.{shard}-of-{shards}.log",
    wildcard_constraints:
        model=one_of(asked_models()),
        shard="[1-9][0-9]*",
        shards="[1-9][0-9]*",


rule merge_shards:
    """Join what {wildcards.model} answered in the shards of {wildcards.setting}."""
    input:
        unpack(asked_from),
        parts=shard_files,
    output:
        f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
    log:
        "logs/merge_shards/{benchmark}.{setting}.{model}.log",
    wildcard_constraints:
        benchmark=benchmark_where(is_split=True),
    conda:
        "../envs/scoring.yaml"
    params:
        asked=asked_by,
        code=code("merge_shards"),
    script:
        "../scripts/merge_shards.py"
