"""Tables as HTML: nothing of a name runs, and every number finds its generations."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.selection import Records, parse
from babelmath.tables.frame import Cell, Table, interval, text
from babelmath.tables.html import index, page
from stand_ins import UNTIMED

EXPLORER = "../../explorer/index.html"
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</td></table><style>*{}</style>",
    "&lt;b&gt; &amp; &#x3c;",
    "<!-- --!> ]]>",
    "javascript:alert(1)",
    "العربية \u202etxt",
]
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1)


class Read(HTMLParser):
    """What a browser takes from a page: elements with their attributes, and texts by element."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def of(self, *tags: str) -> str:
        return "".join(data for tag, data in self.texts if tag in tags)


def table(*cells: Cell, **fields: Any) -> Table:
    values: dict[str, Any] = {"paper": "mmath", "name": "table2", "title": "Title"}
    values |= {"protocol": "paper", "cells": cells, "notes": ["A note."]}
    return Table(**(values | fields))


def sound(source: str) -> Read:
    """A page that is well formed, runs one script only, and takes nothing from elsewhere."""
    found = Read(source)
    assert found.open == []
    tags = [tag for tag, _ in found.elements]
    assert tags.count("script") == 1 and tags.count("style") == 1 and not {"img", "link"} & {*tags}
    for tag, attributes in found.elements:
        assert not any(name.startswith("on") or name in ("src", "style") for name in attributes)
        assert not str(attributes.get("href") or "").lower().startswith(("javascript:", "http"))
        assert tag == "meta" or "http-equiv" not in attributes
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_and_run_nothing(name: str) -> None:
    records = Records(("mmath",), ("native",), (name,))
    one = table(
        Cell(name, name, name, 50.0, 6, low=1.0, high=99.0, records=records),
        text(name, "other", name, name),
        title=name, protocol=name, notes=[name], heading=name, name=name,
    )  # fmt: skip
    found = sound(page(one, EXPLORER))
    for tags in (("bdi",), ("th",), ("td",), ("title",), ("h1",), ("li",), ("caption", "bdi")):
        assert name in found.of(*tags)


@UNTIMED
@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=4), NAMES)
def test_any_names_stand_in_a_page_as_they_are(names: Any, note: str) -> None:
    cells = [Cell(block, row, column, 1.0, 3) for block, row, column in names]
    found = sound(page(table(*cells, notes=[note]), EXPLORER))
    shown = found.of("bdi")
    assert all(row in shown and block in shown for block, row, _ in names)
    assert found.of("li") == note or "`" in note


def test_the_policy_allows_the_pages_own_script_and_style_alone() -> None:
    source = page(table(Cell("", "a", "x", 1.0, 3)), EXPLORER)
    found = sound(source)
    (policy,) = [one["content"] for _, one in found.elements
                 if one.get("http-equiv") == "Content-Security-Policy"]  # fmt: skip
    script = found.of("script")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    )
    assert source.index("Content-Security-Policy") < source.index("<style>")


VALUES = st.lists(NAMES, max_size=2).map(tuple)
SELECTED = st.builds(
    Records, benchmark=VALUES, setting=VALUES, model=VALUES, lang=VALUES, subset=VALUES,
    state=VALUES, id=VALUES, target=st.sampled_from([(), ("on",), ("off",)]),
)  # fmt: skip


@UNTIMED
@given(SELECTED)
def test_a_link_names_the_generations_behind_its_number(records: Records) -> None:
    source = page(table(Cell("", "a", "x", 50.0, 6, records=records)), EXPLORER)
    links = [one["href"] for tag, one in sound(source).elements if tag == "a"]
    assert links[-1] == "../index.html"
    address, _, query = str(links[0]).partition("#")
    assert address == EXPLORER and parse(query) == records
    assert query.isascii() and not set(query) & set("\"'<> ")


def test_without_an_explorer_there_are_no_links() -> None:
    records = Records(("mmath",), ("native",))
    source = page(table(Cell("", "a", "x", 50.0, 6, records=records)), None)
    found = sound(source)
    assert "a" not in [tag for tag, _ in found.elements]
    assert "50.00" in found.of("td")


def test_a_number_without_generations_has_no_link() -> None:
    found = sound(page(table(Cell("", "a", "x", None, 0), Cell("", "b", "x", 50.0, 6)), EXPLORER))
    assert [one["href"] for tag, one in found.elements if tag == "a"] == ["../index.html"]
    assert "no records" in found.of("td")


def test_each_number_has_its_interval_and_its_n_where_the_column_does_not_say_it() -> None:
    one, two = Cell("", "a", "x", 50.0, 6, low=18.76, high=81.24), Cell("", "b", "x", 25.0, 4)
    assert interval(one) == "18.8 to 81.2"
    found = sound(page(table(one, two), EXPLORER))
    assert found.of("small") == "18.8 to 81.2; n=6n=4"
    alone = sound(page(table(one), EXPLORER))
    assert alone.of("small") == "n=618.8 to 81.2"  # the head of the column, then the cell


def test_the_best_value_of_a_column_is_strong() -> None:
    cells = [Cell("", "a", "x", 50.0, 6), Cell("", "b", "x", 25.0, 6)]
    assert sound(page(table(*cells, ranked=True), None)).of("strong") == "50.00"
    assert sound(page(table(*cells), None)).of("strong") == ""


def test_levels_of_a_column_stand_under_each_other() -> None:
    source = page(table(Cell("", "a", "CoT | Proof", 50.0, 6)), None)
    assert "CoT<br>Proof<br><small>n=6</small>" in source


def test_code_of_a_note_is_code() -> None:
    source = page(table(Cell("", "a", "x", 1.0, 3), notes=["See `a<b` and `c`, or ` alone."]), None)
    assert "<li>See <code>a&lt;b</code> and <code>c</code>, or ` alone.</li>" in source


def test_the_list_of_tables_links_to_all_forms() -> None:
    name = HOSTILE[0]
    source = index(name, {
        "MMATH": [("Section 3", name, "mmath/table2.html"), ("Section 3", "B", "mmath/x.y.html"),
                  ("Data", "C", "mmath/z.html")],
    })  # fmt: skip
    found = sound(source)
    links = [one["href"] for tag, one in found.elements if tag == "a"]
    for path in ("mmath/table2", "mmath/x.y", "mmath/z"):
        for ending in ("html", "csv", "md", "tex"):
            assert links.count(f"{path}.{ending}") == 1
    assert found.of("h3") == "Section 3Data" and name in found.of("p") and name in found.of("a")


def test_the_list_of_tables_follows_the_papers_sections() -> None:
    sections = ["Section 5.10", "Data", "Appendix A.3", "Section 5.2", "Section 1", "Scoring"]
    found = sound(index("s", {"P": [(one, "t", "p/t.html") for one in sections]}))
    assert [data for tag, data in found.texts if tag == "h3"] == [
        "Section 1", "Section 5.2", "Section 5.10", "Appendix A.3", "Data", "Scoring",
    ]  # fmt: skip
