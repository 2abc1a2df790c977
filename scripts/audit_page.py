"""Sum up the audit on one page, with a figure of printed against recomputed numbers."""

from pathlib import Path

from babelmath.audit.arithmetic import audit_arithmetic
from babelmath.audit.claims import load_claims
from babelmath.audit.page import page
from babelmath.audit.rows import load_report
from babelmath.audit.summary import quality_csv, summary, summary_csv
from babelmath.figures.printed import printed_against_recomputed
from babelmath.figures.style import save
from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.released.oddities import load_oddities


def main() -> None:
    files, output, params = snakemake.input, snakemake.output, snakemake.params
    claims = load_claims(files.claims)
    findings = audit_arithmetic(claims)
    rows = [row for path in files.reports for row in load_report(path)]
    oddities = load_oddities(files.oddities)
    totals = summary(claims, findings, rows)
    write_text(output.summary, summary_csv(totals))
    write_text(output.quality, quality_csv(oddities))
    write_text(
        output.page,
        page(
            params.statement,
            claims,
            findings,
            rows,
            totals,
            oddities,
            Path(output.png).name,
            params.ledger,
            params.sources,
        ),
    )
    save(printed_against_recomputed(rows, params.scale), Path(output.pdf).with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake.log)
