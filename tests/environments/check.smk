# Every environment of envs/, made by Snakemake itself, and tried by a job inside it.
from pathlib import Path

ENVIRONMENTS = config["environments"]
HERE = Path(workflow.basedir)


rule all:
    input:
        expand("{environment}.held", environment=ENVIRONMENTS),


rule held:
    input:
        "{environment}.json",
    output:
        touch("{environment}.held"),
    log:
        "{environment}.log",
    conda:
        lambda w: f"../../envs/{w.environment}.yaml"
    params:
        program=HERE / "held.py",
    shell:
        "python {params.program} {input} > {log} 2>&1"
