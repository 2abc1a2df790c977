"""Record the versions of what is installed in one environment."""

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.versions import as_csv, versions


def main() -> None:
    write_text(snakemake.output[0], as_csv(snakemake.wildcards.environment, versions()))


if __name__ == "__main__":
    run(main, snakemake.log)
