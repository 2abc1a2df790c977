"""Tables of both papers, and the frames that figures are drawn from.

Needs: problems, verdicts by the scorer that the protocol picks, language labels, constructions.
Gives: results/tables/{paper}/{table}.csv (all digits), .md, .tex, and .html, whose numbers link to
their generations in the explorer; a page and a LaTeX document that hold them all.
"""

from babelmath.catalogue import items
from babelmath.page import PAPERS

TABLE_ITEMS = {(one.paper, one.name): one for one in items(CONFIG, "table")}
TABLES = [
    *(
        f"{R}/tables/{paper}/{name}.{ending}"
        for paper, name in TABLE_ITEMS
        for ending in ("csv", "md", "tex", "html")
    ),
    f"{R}/tables/index.html",
    f"{R}/tables/preamble.tex",
    f"{R}/tables/tables.tex",
]


rule table:
    """Make table {wildcards.name} of {wildcards.paper} from its records."""
    input:
        unpack(lambda w: records_of(TABLE_ITEMS[w.paper, w.name])),
    output:
        csv=f"{R}/tables/{{paper}}/{{name}}.csv",
        md=f"{R}/tables/{{paper}}/{{name}}.md",
        tex=f"{R}/tables/{{paper}}/{{name}}.tex",
        html=report(
            f"{R}/tables/{{paper}}/{{name}}.html",
            caption="../resources/report/table.rst",
            category=lambda w: PAPERS[w.paper],
            subcategory=lambda w: TABLE_ITEMS[w.paper, w.name].section,
            labels=lambda w: {"what": table_caption(TABLE_ITEMS[w.paper, w.name]), "as": "table"},
        ),
    log:
        "logs/table/{paper}.{name}.log",
    wildcard_constraints:
        paper=one_of({paper for paper, _ in TABLE_ITEMS}),
        name=one_of({name for _, name in TABLE_ITEMS}),
    conda:
        "../envs/tables.yaml"
    params:
        base=lambda w: TABLE_ITEMS[w.paper, w.name].base,
        caption=lambda w: table_caption(TABLE_ITEMS[w.paper, w.name]),
        facts=lambda w: facts_of(TABLE_ITEMS[w.paper, w.name]),
        explorer="../../explorer/index.html",
        code=code("table"),
    script:
        "../scripts/table.py"


rule tables_index:
    """List all tables on one page, and for LaTeX in one document."""
    input:
        preamble=f"{RESOURCES}/tables/preamble.tex",
    output:
        html=f"{R}/tables/index.html",
        preamble=f"{R}/tables/preamble.tex",
        tex=f"{R}/tables/tables.tex",
    log:
        "logs/tables_index.log",
    conda:
        "../envs/tables.yaml"
    params:
        statement=CONFIG.statement,
        tables={
            name: [
                (one.section, table_caption(one), f"{R}/tables/{name}/{one.name}.html")
                for one in TABLE_ITEMS.values()
                if one.paper == name
            ]
            for name in BENCHMARKS
        },
        code=code("tables_index"),
    script:
        "../scripts/tables_index.py"
