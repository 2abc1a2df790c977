"""Draw the overview of the pipeline."""

import json
from pathlib import Path

from babelmath.figures.pipeline import Stage, overview
from babelmath.figures.style import save
from babelmath.jobs import run


def main() -> None:
    raw = json.loads(Path(snakemake.input[0]).read_text(encoding="utf-8"))
    stages = [Stage(**{**one, "after": tuple(one["after"])}) for one in raw]
    save(overview(stages, ""), Path(snakemake.output.pdf).with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake.log)
