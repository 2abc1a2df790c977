"""List all tables on one page, and for LaTeX in one document."""

from pathlib import Path

from babelmath.files import read_text, write_text
from babelmath.jobs import run
from babelmath.page import PAPERS
from babelmath.tables.html import index
from babelmath.tables.tex import collected


def main() -> None:
    params, output = snakemake.params, snakemake.output
    root = Path(output.html).parent
    tables = {
        PAPERS[paper]: [
            (section, caption, Path(path).relative_to(root).as_posix())
            for section, caption, path in held
        ]
        for paper, held in params.tables.items()
    }
    write_text(output.html, index(params.statement, tables))
    write_text(output.preamble, read_text(snakemake.input.preamble))
    names = [path for held in tables.values() for _, _, path in held]
    write_text(output.tex, collected(names))


if __name__ == "__main__":
    run(main, snakemake.log)
