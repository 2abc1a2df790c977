"""The explorer in Chromium: from disk and over the loopback."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from babelmath.outcomes import STATES
from babelmath.selection import Records
from browser_runs import HOSTILE, LONG, MATHS, OVERRIDE, SCRIPT, TASKS
from explorer_runs import Run, many, write_run
from links import generations, selects

Tab = Callable[..., Any]
THINKING = "document.querySelector('section[aria-label=Response] .text')"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the run whose texts try to do harm."""
    root = tmp_path_factory.mktemp("hostile")
    write_run(root / "run", HOSTILE, TASKS).build(root / "explorer")
    return root / "explorer"


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 4,000 generations."""
    root = tmp_path_factory.mktemp("large")
    write_run(root / "run", list(many(4000))).build(root / "explorer")
    return root / "explorer"


@pytest.fixture(params=["file", "http"])
def origin(request: pytest.FixtureRequest, served: Callable[[Path], str]) -> Iterator[Any]:
    """A function from a folder to its address, from disk or from a server."""
    yield lambda folder: served(folder) if request.param == "http" else f"file://{folder}"


def opened(tab: Any, key: str) -> str:
    tab.open(f"open={key}")
    return str(tab.detail())


def test_the_page_opens_and_shows_the_run(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    one.open()
    assert one.count() == "16 of 16 generations"
    held = {(one.id, one.lang) for one in HOSTILE}
    assert one.page.inner_text("#questions") == f"to {len(held)} questions"
    assert "A test <b>run</b>." in one.page.inner_text("#statement")
    assert "Protocol: paper. Seed: 7." in one.page.inner_text("#run")
    assert one.page.locator("#notices p").count() == 0


@pytest.mark.parametrize("key", [
    "h-01", "h-02", "h-03", "h-04", "h-05", "h-06", "h-07", "h-08", "h-09", "h-10", "h-11", "h-12",
])  # fmt: skip
def test_no_text_of_a_model_runs_or_asks_for_anything(
    tab: Tab, origin: Any, hostile: Path, key: str
) -> None:
    lang = {"h-06": "ar", "h-07": "bn"}.get(key, "en")
    one = tab(origin(hostile))
    opened(one, f"mathmist/native/m-one/{lang}/{key}/0")
    for fold in one.page.locator("#detail details").all():
        fold.evaluate("node => { node.open = true; }")
    one.until("document.querySelectorAll('#detail .text:empty').length === 0")
    assert one.page.evaluate("window.owned") is None
    assert (
        one.page.locator("#detail :is(script, img, iframe, [href^='javascript'], [style])").count()
        == 0
    )
    allowed = one.page.evaluate("[...explorer.text.ELEMENTS]")
    names = one.page.evaluate(
        "[...new Set([...document.querySelectorAll('math, math *')].map(one => one.localName))]"
    )
    assert set(names) <= set(allowed)


def test_markup_is_shown_as_it_is_written(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    text = opened(one, "mathmist/native/m-one/en/h-01/0")
    assert text.count(SCRIPT) >= 3
    assert '<img src="http://198.51.100.1/x.png" onerror="window.owned = 2">' in text


@pytest.mark.parametrize("attack", [
    "document.body.innerHTML = '<b>x</b>'",
    "const s = document.createElement('script'); s.text = 'owned = 1'; document.body.append(s)",
    "eval('window.owned = 1')",
    "new Function('window.owned = 1')()",
])  # fmt: skip
def test_the_policy_of_the_page_holds(
    browser: Any, origin: Any, hostile: Path, attack: str
) -> None:
    page = browser.new_page()
    page.goto(f"{origin(hostile)}/index.html")
    page.wait_for_selector("body[data-ready]")
    refused = page.evaluate(
        "() => new Promise(done => {"
        " document.addEventListener('securitypolicyviolation',"
        "  event => done(event.violatedDirective));"
        # Not at once: what a debugger runs may evaluate texts.
        f" setTimeout(() => {{ try {{ {attack} }} catch {{}} }});"
        " setTimeout(() => done('nothing was refused'), 5000); })"
    )  # fmt: skip
    assert refused in ("require-trusted-types-for", "script-src", "script-src-elem")
    assert page.evaluate("window.owned") is None
    page.close()


def test_no_request_can_leave_the_page(browser: Any, origin: Any, hostile: Path) -> None:
    page = browser.new_page()
    page.goto(f"{origin(hostile)}/index.html")
    page.wait_for_selector("body[data-ready]")
    said = page.evaluate("fetch('http://127.0.0.1:9/x').then(() => 'sent', error => String(error))")
    assert "TypeError" in said
    page.close()


def test_hidden_characters_are_marked_and_reorder_nothing(
    tab: Tab, origin: Any, hostile: Path
) -> None:
    one = tab(origin(hostile))
    opened(one, "mathmist/native/m-one/en/h-08/0")
    assert "safe RLOdetrevniPDF text, LRIisolatedPDI, zeroZWSPwidth, end" in one.page.inner_text(
        "#detail"
    )
    assert (
        one.page.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)")
        is False
    )
    assert "U+202E" in str(one.page.locator(".hidden-character").first.get_attribute("title"))
    assert OVERRIDE.startswith("safe \u202e")
    text = opened(one, "mathmist/native/m-one/en/h-09/0")
    assert "nul NUL here, escape ESC[31m, \\ud800 written out, carriageCR" in text


def test_mathematics_is_set_and_amounts_stay_text(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    text = opened(one, "mathmist/native/m-one/en/h-10/0")
    assert "It costs $5 and $7, or \\$3; but" in text
    opened(one, "mathmist/native/m-one/en/h-11/0")
    answer = one.page.locator("section[aria-label=Response] > .text")
    assert answer.locator("math").count() == 10
    assert answer.locator("math[display=block]").count() == 3
    assert answer.locator("mfrac").count() == 4
    assert answer.locator(".tex").count() == 0
    height = answer.locator("math").first.bounding_box()["height"]
    assert height > 15
    one.page.keyboard.press("r")
    one.page.wait_for_selector("button[aria-pressed=true]")
    assert one.page.locator("section[aria-label=Response] > .text").text_content() == MATHS
    opened(one, "mathmist/native/m-one/en/h-04/0")
    assert one.page.locator("section[aria-label=Response] > .text .tex").count() >= 2


def test_a_long_thinking_unfolds_fully(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    opened(one, "mathmist/native/m-one/en/h-05/0")
    fold = one.page.locator("#detail details", has_text="Thinking").first
    assert fold.evaluate("node => node.open") is False
    fold.locator("summary").click()
    one.until(f"{THINKING}.textContent.includes('number 3999')")
    assert fold.locator("math").count() == 800
    one.page.keyboard.press("r")
    one.page.wait_for_selector("button[aria-pressed=true]")
    one.until(f"{THINKING}.textContent.length === {len(LONG)}")


def test_scripts_take_their_own_direction_and_font(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    opened(one, "mathmist/native/m-one/ar/h-06/0")
    question = one.page.locator("section[aria-label=Question] .text").first
    assert question.get_attribute("lang") == "ar"
    assert question.evaluate("node => getComputedStyle(node).direction") == "rtl"
    opened(one, "mathmist/native/m-one/bn/h-07/0")
    one.until("document.fonts.status === 'loaded'")
    fonts = one.page.evaluate(
        "[...document.fonts].filter(one => one.status === 'loaded').map(one => one.family).sort()"
    )
    assert [one.strip('"') for one in fonts] == ["Noto Sans Bengali", "STIX Two Math"]


def test_a_generation_tells_its_verdicts_languages_and_facts(
    tab: Tab, origin: Any, hostile: Path
) -> None:
    one = tab(origin(hostile))
    text = opened(one, "mathmist/native/m-two/fr/h-13/1")
    for part in (
        "judge-stern: correct", "rules-paper: wrong (shown in tables)",
        "rules-strict: wrong (strict protocol)",
        "Decision", "0.9", "$5$ to 5", "LATIN 12", "17 of the prompt", "journal: " + "ab" * 32,
        "wrong, other language", "M-TWO, setting native, sample 1",
    ):  # fmt: skip
        assert part in text
    text = opened(one, "mathmist/mcq/m-two/en/h-14/0")
    assert "Which is" in text and "the key" in text
    text = opened(one, "mathmist/identify/m-two/en/h-15/0")
    assert "Flawed solution" in text and "step 1, incorrect rule" in text
    text = opened(one, "mathmist/native/m-one/en/h-12/0")
    assert "own text was not released" in text and "no_answer" in text


@pytest.mark.parametrize(("query", "found"), [
    ("", 16),
    ("setting=mcq", 1),
    ("setting=mcq,identify", 2),
    ("lang=fr&model=m-two", 1),
    ("state=wrong%2C%20other%20language", 1),
    ("target=off", 2),
    ("target=on&answers=on", 11),
    ("answers=off&lang=fr", 1),
    ("thinking=fr", 1),
    ("reading=strict&answering=bn", 1),
    ("status=wrong", 3),
    ("scorer=judge-stern&status=wrong", 1),
    ("disagree=yes", 2),
    ("id=h-0", 9),
    ("id=h-13", 2),
    ("sample=1", 1),
    ("benchmark=mathmist&kind=numerical&subset=corpus&finish=stop", 16),
    ("kind=proof", 0),
])  # fmt: skip
def test_an_address_selects_its_generations(
    tab: Tab, hostile: Path, query: str, found: int
) -> None:
    one = tab(f"file://{hostile}")
    one.open(query)
    assert one.count() == f"{found} of 16 generations"
    assert one.page.locator("#notices p").count() == 0
    assert one.page.locator(".row").count() == found


def test_the_page_selects_what_the_records_say(tab: Tab, tmp_path: Path) -> None:
    """Three hundred addresses drawn at random, counted from the records by plain Python."""
    draw = random.Random(20250519)
    made = [*many(320), *HOSTILE]
    run = write_run(tmp_path / "run", made, TASKS)
    run.build(tmp_path / "explorer")
    held = generations(tmp_path / "run", config_of(run))
    values = {
        "setting": ["native", "mcq", "identify"], "model": ["m-one", "m-two", "m-three"],
        "lang": ["en", "fr", "ar", "bn"], "state": STATES, "kind": ["numerical", "proof"],
        "scorer": ["judge-stern", "rules-strict", "letter-strict"],
        "status": ["correct", "wrong", "truncated", "no_answer"], "reading": ["paper", "strict"],
        "thinking": ["en", "fr", "ar"], "answering": ["en", "zh", "und"], "target": ["on", "off"],
        "answers": ["on", "off"], "sample": ["0", "1"], "id": ["p-00003", "h-13"],
    }  # fmt: skip
    wanted = {}
    for _ in range(300):
        chosen = {
            key: tuple(draw.sample(list(words), 1 if key in ("scorer", "reading") else
                                   draw.randint(1, min(2, len(words)))))
            for key, words in draw.sample(sorted(values.items()), draw.randint(1, 4))
        }  # fmt: skip
        records = Records(**chosen)
        wanted[records.query()] = sum(selects(records, row) for row in held)
    one = tab(f"file://{tmp_path / 'explorer'}")
    one.open()
    found = one.page.evaluate(COUNTS, list(wanted))
    assert found == wanted
    assert len(set(wanted.values())) > 40


def config_of(run: Run) -> dict[str, Any]:
    """The part of a run's configuration that a count needs."""
    settings = {
        name: {"scorers": how["scorers"], "labels": how["labels"],
               "reasoning_language": how["expected"],
               "models": [model for _, one, model in run.facts["sources"] if one == name]}
        for name, how in run.facts["settings"]["mathmist"].items()
    }  # fmt: skip
    return {"protocol": run.facts["protocol"], "benchmarks": {"mathmist": {"settings": settings}}}


COUNTS = """async (queries) => {
  const facets = new explorer.Facets(await explorer.index());
  const found = {};
  for (const query of queries) {
    const { values } = explorer.selection.parse(query);
    facets.take((values.scorer || [null])[0], (values.reading || [null])[0]);
    found[query] = facets.select(values).length;
  }
  return found;
}"""


@pytest.mark.parametrize(("query", "said", "found"), [
    ("colour=red", "does not know: colour", 16),
    ("lang=xx", "This run has no lang “xx”.", 0),
    ("lang=fr,xx", "This run has no lang “xx”.", 2),
    ("lang=%zz", "a value of lang that cannot be read", 16),
    ("lang=fr&lang=en", "the key lang twice", 2),
    ("scorer=judge-nobody", "no scorer “judge-nobody”", 16),
    ("open=mathmist/native/m-one/en/h-99/0", "This page has no generation", 16),
    ("lang=fr&open=mathmist/native/m-one/en/h-01/0", "not among the selected", 2),
])  # fmt: skip
def test_what_an_address_names_in_vain_is_said(
    tab: Tab, hostile: Path, query: str, said: str, found: int
) -> None:
    one = tab(f"file://{hostile}")
    one.open(query)
    assert said in one.page.inner_text("#notices")
    assert one.count() == f"{found} of 16 generations"


def test_a_cells_link_leads_to_its_generations(tab: Tab, origin: Any, hostile: Path) -> None:
    tables = hostile.parent / "tables" / "cell.html"
    tables.parent.mkdir(exist_ok=True)
    query = "benchmark=mathmist&amp;setting=native&amp;lang=en"
    tables.write_text('<!doctype html><title>t</title><link rel="icon" href="data:,">'
                      f'<a href="../explorer/index.html#{query}">10</a>')  # fmt: skip
    address = origin(hostile.parent)
    one = tab(address)
    one.page.goto(f"{address}/tables/cell.html")
    one.page.click("a")
    one.page.wait_for_selector("body[data-ready]")
    assert one.count() == "10 of 16 generations"
    assert one.page.locator("input[value=native]").is_checked()
    assert not one.page.locator("input[value=mcq]").is_checked()
    one.page.go_back()
    assert one.page.title() == "t"


def test_filters_change_the_address_and_counts_follow(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    one.open()
    one.page.check("input[value=fr]")
    assert (one.hash(), one.count()) == ("#lang=fr", "2 of 16 generations")
    line = one.page.locator("label", has=one.page.locator("input[value=m-one]"))
    assert line.locator(".n").inner_text() == "1"
    one.page.check("input[value=m-two]")
    assert one.hash() == "#model=m-two&lang=fr"
    one.page.select_option("#choice-scorer", "rules-strict")
    assert one.hash() == "#model=m-two&lang=fr&scorer=rules-strict"
    one.page.click("#clear")
    assert (one.hash(), one.count()) == ("", "16 of 16 generations")
    one.page.fill("#id-box", "13")
    assert (one.hash(), one.count()) == ("#id=13", "2 of 16 generations")
    state = "wrong, other language"
    one.page.check(f"input[value='{state}']")
    assert unquote(one.hash()) == f"#state={state}&id=13"
    assert one.page.evaluate("history.length") >= 5


def test_back_and_forward_take_the_reader_along(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    one.open("lang=fr")
    one.page.locator(".row").first.click()
    assert "La réponse est 5." in one.detail()
    assert one.hash() == "#lang=fr&open=mathmist/native/m-one/fr/h-13/0"
    one.page.go_back()
    one.page.wait_for_selector("#detail", state="hidden")
    assert one.hash() == "#lang=fr"
    one.page.go_forward()
    assert "La réponse est 5." in one.detail()
    one.page.click("text=All answers to this problem")
    assert one.count() == "2 of 16 generations"
    one.page.reload()
    one.page.wait_for_selector("body[data-ready]")
    assert one.count() == "2 of 16 generations"


def test_the_short_form_of_an_opened_generation_is_read(tab: Tab, hostile: Path) -> None:
    one = tab(f"file://{hostile}")
    one.open("benchmark=mathmist&open=native/m-one/fr/h-13/0")
    assert "La réponse est 5." in one.detail()


def test_keys_lead_through_the_list(tab: Tab, origin: Any, hostile: Path) -> None:
    one = tab(origin(hostile))
    one.open("lang=fr")
    press = one.page.keyboard.press
    press("Enter")
    assert "La réponse est 5." in one.detail()
    press("j")
    one.until("document.querySelector('#detail').textContent.includes('est 6')")
    assert one.hash().endswith("open=mathmist/native/m-two/fr/h-13/1")
    press("j")  # the last one stays
    press("k")
    one.until("document.querySelector('#detail').textContent.includes('est 5')")
    press("Escape")
    one.page.wait_for_selector("#detail", state="hidden")
    assert one.hash() == "#lang=fr"
    assert one.page.evaluate("document.activeElement.id") == "list"
    press("ArrowDown")
    assert one.page.locator(".row.at").get_attribute("aria-posinset") == "2"
    press("/")
    assert one.page.evaluate("document.activeElement.id") == "id-box"
    one.page.keyboard.type("j/?")
    assert one.page.input_value("#id-box") == "j/?"
    press("Escape")
    press("?")
    assert one.page.locator("#help").is_visible()
    press("Escape")
    assert not one.page.locator("#help").is_visible()


def test_a_large_list_holds_few_rows_and_shows_all(tab: Tab, origin: Any, large: Path) -> None:
    one = tab(origin(large))
    one.open()
    assert one.count() == "4,000 of 4,000 generations"
    assert one.page.locator(".row").count() < 60
    one.page.focus("#list")
    one.page.keyboard.press("End")
    assert one.page.locator(".row.at").get_attribute("aria-posinset") == "4000"
    one.page.evaluate("document.querySelector('#list').scrollTop = 46 * 2000")
    one.until("document.querySelector('#row-2005') !== null")
    assert one.page.locator(".row").count() < 60
    one.page.locator("#row-2005").click()
    one.detail()
    assert "p-00125" in one.hash()


def test_a_page_that_lacks_a_chunk_says_so(browser: Any, origin: Any, tmp_path: Path) -> None:
    write_run(tmp_path / "run", HOSTILE, TASKS).build(tmp_path / "explorer")
    (tmp_path / "explorer" / "data" / "mathmist" / "mcq" / "m-two.0.js").unlink()
    page = browser.new_page()
    key = "mathmist/mcq/m-two/en/h-14/0"
    page.goto(f"{origin(tmp_path / 'explorer')}/index.html#open={key}")
    page.wait_for_selector("#detail[aria-busy=false] .notice")
    assert "data/mathmist/mcq/m-two.0.js cannot be read" in page.inner_text("#detail")
    page.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (400, "light")])
def test_texts_have_contrast_and_nothing_is_cut_off_at_the_side(
    tab: Tab, hostile: Path, width: int, scheme: str
) -> None:
    one = tab(f"file://{hostile}", viewport={"width": width, "height": 800}, color_scheme=scheme)
    opened(one, "mathmist/native/m-two/fr/h-13/1")
    assert one.page.evaluate("document.documentElement.scrollWidth") <= width
    low = json.loads(one.page.evaluate(CONTRAST))
    assert low == []


CONTRAST = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const colour = parts(getComputedStyle(one).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const node of document.querySelectorAll('body *')) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!own || !node.checkVisibility()) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push([node.className, node.textContent.slice(0, 30), ratio]);
  }
  return JSON.stringify(low);
}"""
