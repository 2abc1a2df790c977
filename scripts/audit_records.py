"""Recompute a paper's printed numbers from records, and compare."""

from babelmath.audit.arithmetic import audit_arithmetic, by_claim
from babelmath.audit.claims import load_claims
from babelmath.audit.evidence import evidence
from babelmath.audit.report import report
from babelmath.audit.rows import load_report, report_csv
from babelmath.files import write_text
from babelmath.jobs import run


def main() -> None:
    files, facts, paper = snakemake.input, snakemake.params.facts, snakemake.wildcards.paper
    claims = load_claims(files.claims)
    findings = by_claim(audit_arithmetic(claims))
    records = {name: paths for name, paths in files.items() if name not in ("claims", "published")}
    rows = report(
        [one for one in claims.values() if one.paper == paper],
        findings,
        evidence(facts, records),
        facts["scope"],
        {row.id: row for path in files.published for row in load_report(path)},
    )
    write_text(snakemake.output[0], report_csv(rows))


if __name__ == "__main__":
    run(main, snakemake.log)
