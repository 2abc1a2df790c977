"""The audit of both papers' printed numbers.

Needs: the claims ledger; for the recomputed columns verdicts, labels and problems.
Gives: results/audit/: what the printed numbers say of each other (no records needed), printed
against recomputed by claim, what was odd in the data, and a page that sums it up.
"""

AUDITED = ("mathmist", "mmath")
AUDIT = [
    f"{R}/audit/README.md",
    f"{R}/audit/arithmetic.csv",
    *(f"{R}/audit/{paper}.csv" for paper in AUDITED),
    f"{R}/audit/summary.csv",
    f"{R}/audit/data_quality.csv",
    f"{R}/audit/printed_against_recomputed.pdf",
    f"{R}/audit/printed_against_recomputed.png",
]


rule audit_arithmetic:
    """Check what the printed numbers of both papers say of each other."""
    input:
        CONFIG.paths.claims,
    output:
        f"{R}/audit/arithmetic.csv",
    log:
        "logs/audit_arithmetic.log",
    conda:
        "../envs/tables.yaml"
    params:
        code=code("audit_arithmetic"),
    script:
        "../scripts/audit_arithmetic.py"


rule audit_records:
    """Recompute the printed numbers of {wildcards.paper} from the records of this run."""
    input:
        unpack(lambda w: audit_files(w.paper)),
        claims=CONFIG.paths.claims,
        published=lambda w: published_audit(w.paper),
    output:
        f"{R}/audit/{{paper}}.csv",
    log:
        "logs/audit_records/{paper}.log",
    wildcard_constraints:
        paper=one_of(AUDITED),
    priority: 10  # the longest chain of jobs
    conda:
        "../envs/tables.yaml"
    params:
        facts=lambda w: audit_facts(w.paper),
        code=code("audit_records"),
    script:
        "../scripts/audit_records.py"


rule audit_page:
    """Sum up the audit on one page, with a figure of printed against recomputed numbers."""
    input:
        claims=CONFIG.paths.claims,
        reports=expand(f"{R}/audit/{{paper}}.csv", paper=AUDITED),
        oddities=oddity_files(),
    output:
        page=f"{R}/audit/README.md",
        summary=f"{R}/audit/summary.csv",
        quality=f"{R}/audit/data_quality.csv",
        pdf=f"{R}/audit/printed_against_recomputed.pdf",
        png=report(
            f"{R}/audit/printed_against_recomputed.png",
            caption="../resources/report/audit.rst",
            category="Audit",
            labels={"what": "Printed against recomputed numbers", "as": "figure"},
        ),
    log:
        "logs/audit_page.log",
    priority: 10  # the longest chain of jobs
    conda:
        "../envs/figures.yaml"
    params:
        statement=CONFIG.statement,
        scale=CONFIG.scale,
        ledger=lambda w: CONFIG.paths.claims,
        sources=[source_sentence(name) for name in BENCHMARKS],
        code=code("audit_page"),
    script:
        "../scripts/audit_page.py"
