"""Join the responses of a setting's shards to the file that one job would write."""

from babelmath.jobs import run
from babelmath.records import write_records
from babelmath.responses import merged


def main() -> None:
    files = snakemake.input
    write_records(snakemake.output[0], merged(files.parts, snakemake.params.asked, files))


if __name__ == "__main__":
    run(main, snakemake.log)
