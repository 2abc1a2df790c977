"""Figures of both papers, and the overview of the pipeline.

Needs: the same records as the tables; resources/stages.json for the overview.
Gives: results/figures/{paper}/{figure}.pdf and .png.
"""

FIGURE_ITEMS = {(one.paper, one.name): one for one in items(CONFIG, "figure")}
FIGURES = [
    *(
        f"{R}/figures/{paper}/{name}.{ending}"
        for paper, name in FIGURE_ITEMS
        for ending in ("pdf", "png")
    ),
    f"{R}/figures/overview.pdf",
    f"{R}/figures/overview.png",
]


rule figure:
    """Draw figure {wildcards.name} of {wildcards.paper} from its records."""
    input:
        unpack(lambda w: records_of(FIGURE_ITEMS[w.paper, w.name])),
    output:
        pdf=f"{R}/figures/{{paper}}/{{name}}.pdf",
        png=report(
            f"{R}/figures/{{paper}}/{{name}}.png",
            caption="../resources/report/figure.rst",
            category=lambda w: PAPERS[w.paper],
            subcategory=lambda w: FIGURE_ITEMS[w.paper, w.name].section,
            labels=lambda w: {
                "what": table_caption(FIGURE_ITEMS[w.paper, w.name]),
                "as": "figure",
            },
        ),
    log:
        "logs/figure/{paper}.{name}.log",
    wildcard_constraints:
        paper=one_of({paper for paper, _ in FIGURE_ITEMS}),
        name=one_of({name for _, name in FIGURE_ITEMS}),
    conda:
        "../envs/figures.yaml"
    params:
        base=lambda w: FIGURE_ITEMS[w.paper, w.name].base,
        caption=lambda w: table_caption(FIGURE_ITEMS[w.paper, w.name]),
        facts=lambda w: facts_of(FIGURE_ITEMS[w.paper, w.name]),
        code=code("figure"),
    script:
        "../scripts/figure.py"


rule overview:
    """Draw the overview of the pipeline from its own stages."""
    input:
        f"{RESOURCES}/stages.json",
    output:
        pdf=f"{R}/figures/overview.pdf",
        png=report(
            f"{R}/figures/overview.png",
            caption="../resources/report/run.rst",
            category="Run",
            labels={"what": "Overview of the pipeline", "as": "figure"},
        ),
    log:
        "logs/overview.log",
    conda:
        "../envs/figures.yaml"
    params:
        code=code("overview"),
    script:
        "../scripts/overview.py"
