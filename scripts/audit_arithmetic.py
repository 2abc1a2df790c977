"""Check what the printed numbers say of each other: sums, means, shares, attainability."""

from babelmath.audit.arithmetic import audit_arithmetic, findings_csv
from babelmath.audit.claims import load_claims
from babelmath.files import write_text
from babelmath.jobs import run


def main() -> None:
    claims = load_claims(snakemake.input[0])
    write_text(snakemake.output[0], findings_csv(claims, audit_arithmetic(claims)))


if __name__ == "__main__":
    run(main, snakemake.log)
