"""Tables of both papers, and the frames that figures are drawn from.

Needs: problems, verdicts by the scorer that the protocol picks, language labels, constructions.
Gives: results/tables/{paper}/{table}.csv (all digits), .md and .tex.
"""

from babelmath.catalogue import items

TABLE_ITEMS = {(one.paper, one.name): one for one in items(CONFIG, "table")}
TABLES = [
    f"{R}/tables/{paper}/{name}.{ending}"
    for paper, name in TABLE_ITEMS
    for ending in ("csv", "md", "tex")
]


rule table:
    """Make table {wildcards.name} of {wildcards.paper} from its records."""
    input:
        unpack(lambda w: records_of(TABLE_ITEMS[w.paper, w.name])),
    output:
        csv=f"{R}/tables/{{paper}}/{{name}}.csv",
        md=f"{R}/tables/{{paper}}/{{name}}.md",
        tex=f"{R}/tables/{{paper}}/{{name}}.tex",
    log:
        "logs/table/{paper}.{name}.log",
    wildcard_constraints:
        paper=one_of({paper for paper, _ in TABLE_ITEMS}),
        name=one_of({name for _, name in TABLE_ITEMS}),
    conda:
        "../envs/tables.yaml"
    params:
        facts=lambda w: facts_of(TABLE_ITEMS[w.paper, w.name]),
        code=code("table"),
    script:
        "../scripts/table.py"
