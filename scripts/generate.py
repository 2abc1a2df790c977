"""Ask one model all questions of one setting.

Where these are split into shards, ask those of one shard.
"""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import Asked, models_from
from babelmath.generation import generate
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import save_records
from babelmath.responses import asked_questions
from babelmath.shards import Shard


def main() -> None:
    params, wildcards, files = snakemake.params, snakemake.wildcards, snakemake.input
    setting = Asked.model_validate(params.asked["setting"])
    asked, lacking = asked_questions(params.asked, files)
    shard = Shard(int(wildcards.get("shard", 1)), int(wildcards.get("shards", 1)))
    models = models_from(params.models, params.running.models)
    model = models[wildcards.model]
    with Models(
        models,
        Path(params.journal),
        shard.job(f"{wildcards.benchmark}.{wildcards.setting}"),
        Path(snakemake.log[0]),
    ) as opened:
        opened.note(f"{len(lacking)} problems left out in every language: {lacking or 'none'}")
        records = generate(
            shard.take(asked),
            setting,
            wildcards.benchmark,
            wildcards.model,
            model.thinking,
            model.engine,
            load_languages(files.languages),
            opened,
            Path(params.prompts),
            params.asked["seed"],
            shard.label(f"{wildcards.benchmark} {wildcards.setting}"),
        )
    save_records(snakemake.output[0], records)


if __name__ == "__main__":
    run(main, snakemake.log)
