"""Record the resolved configuration and all versions."""

import yaml

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.versions import versions


def main() -> None:
    config = yaml.safe_dump(snakemake.params.config, allow_unicode=True, sort_keys=False)
    write_text(snakemake.output.config, config)
    lines = [f"{name},{version}\n" for name, version in versions()]
    write_text(snakemake.output.versions, "".join(["name,version\n", *lines]))


if __name__ == "__main__":
    run(main, snakemake.log)
