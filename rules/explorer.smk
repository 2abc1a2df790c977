"""The explorer: a page on which single generations are read, from disk and without a server.

Needs: generations, the verdicts of all scorers, language labels, problems, the page's own sources
in resources/explorer/.
Gives: results/explorer/index.html, and beside it the data in scripts.
"""

EXPLORER = [f"{R}/explorer"]
PAGE = [str(one) for one in sorted(Path(RESOURCES, "explorer").rglob("*")) if one.is_file()]


rule explorer:
    """Lay out all generations with their problems and verdicts for a browser."""
    input:
        **explorer_files(),
        page=PAGE,
    output:
        directory(f"{R}/explorer"),
    log:
        "logs/explorer.log",
    priority: 10  # the longest of the last jobs
    conda:
        "../envs/explorer.yaml"
    # Released records are short, and other jobs wait for the second core.
    threads: 2 if asked_models() else 1
    params:
        facts=explorer_facts(),
        code=code("explorer"),
    script:
        "../scripts/explorer.py"
