"""Record the resolved configuration and all versions."""

import yaml

from babelmath.files import read_text, write_text
from babelmath.jobs import run
from babelmath.versions import MAIN, as_csv


def main() -> None:
    config = yaml.safe_dump(snakemake.params.config, allow_unicode=True, sort_keys=False)
    write_text(snakemake.output.config, config)
    # Snakemake's own environment is known where the run is planned: this job may run in another.
    text = as_csv(MAIN, snakemake.params.versions)
    for path in snakemake.input:
        text += read_text(path).partition("\n")[2]
    write_text(snakemake.output.versions, text)


if __name__ == "__main__":
    run(main, snakemake.log)
