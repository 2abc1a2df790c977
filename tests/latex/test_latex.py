"""Tables compiled by TeX Live: nothing missing, nothing over the edge, names in all scripts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from babelmath.figures.style import font_for
from babelmath.tables.frame import Cell, Table
from babelmath.tables.latex import MOST, latex
from babelmath.tables.tex import collected
from small_run import DISPLAYS, SmallRun, small_run

PACKAGES = "texlive-xetex texlive-luatex texlive-latex-recommended"
PREAMBLE = Path(__file__).resolve().parents[2] / "resources" / "tables" / "preamble.tex"
# Fonts by the names that preamble.tex has for them, and a letter that each is for.
FONTS = {"KurintoSans-Rg.ttf": "a", "NotoSansBengali.ttf": "ক", "KurintoSansSC-Rg.ttf": "中",
         "KurintoSansJP-Rg.ttf": "あ", "KurintoSansKR-Rg.ttf": "한"}  # fmt: skip
NATIVE = {
    "m1": "বাংলা স্ত্রী মডেল ৭বি",
    "m2": "العربية نموذج 7B",
    "rel": "ภาษาไทย กำลัง",
    "base": "中文 模型 (72亿)",
    "t1": "日本語カタカナ ひらがな 漢字",
    "t2": "한국어 모델 Қазақша әңгіме",
    "t3": r"Ελληνικά μ <script>alert('1')</script> a_b & 5% # $x^2$ ~ \emph{\input{x}} [2] *,,``''",
}


def needed(program: str) -> str:
    """The program's path; without it the test is skipped, but not in CI."""
    path = shutil.which(program)
    if program == "lualatex" and path is not None:  # which comes without what loads its fonts
        found = subprocess.run(["kpsewhich", "luaotfload.sty"], stdout=subprocess.PIPE)
        path = path if found.stdout.strip() else None
    if path is None:
        reason = f"{program} is not installed (Debian: {PACKAGES})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def compiled(program: str, folder: Path, text: str, name: str = "try") -> str:
    """The log of a document, compiled twice for its references; one that fails is an error."""
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
    for _ in range(2):
        done = subprocess.run(
            [needed(program), "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "max_print_line": "10000", "openin_any": "a"},
        )
        log = (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        assert done.returncode == 0, log[-4000:]
    assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    return log


def faults(log: str) -> list[str]:
    """What a reader would see: characters that no font has, boxes over the edge, cut-off pages."""
    told = re.compile(r"Missing character|Overfull \\[hv]box|Float too large|undefined|multiply")
    return [line for line in log.split("\n") if told.search(line)]


def written(run: SmallRun, folder: Path) -> list[str]:
    """Write all tables of a run as the rules do; their names."""
    names = []
    for item in run.items():
        name = f"{item.paper}/{item.name}.tex"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(latex(run.table(item)), encoding="utf-8")
        names.append(name)
    shutil.copy(PREAMBLE, folder / "preamble.tex")
    (folder / "tables.tex").write_text(collected(names), encoding="utf-8")
    return names


def fonts(folder: Path) -> Path:
    """A folder with the fonts of the figures under the names that preamble.tex looks for."""
    folder.mkdir()
    for name, letter in FONTS.items():
        (folder / name).symlink_to(str(font_for(letter).get_file()))
    return folder


@pytest.fixture(scope="module")
def latin(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The tables of a small run whose names are all Latin."""
    folder = tmp_path_factory.mktemp("latin")
    return folder, written(small_run(folder / "run", 1, DISPLAYS), folder)


def test_all_tables_of_a_run_compile_as_one_document(latin: tuple[Path, list[str]]) -> None:
    folder, names = latin
    log = compiled("xelatex", folder, (folder / "tables.tex").read_text(encoding="utf-8"))
    assert len(names) >= 40 and all(f"./{name}" in log for name in names)
    assert faults(log) == []


@pytest.mark.parametrize("program", ["xelatex", "lualatex"])
def test_names_in_all_scripts_compile_with_the_fonts_of_the_figures(
    program: str, tmp_path: Path
) -> None:
    needed(program)
    written(small_run(tmp_path / "run", 1, NATIVE), tmp_path)
    folder = fonts(tmp_path / "fonts")
    log = compiled(program, tmp_path, f"\\def\\babelmathfonts{{{folder}/}}\\input{{tables.tex}}")
    assert faults(log) == []


@pytest.mark.parametrize("paper", ["mathmist", "mmath"])
def test_each_table_goes_into_a_paper_alone(paper: str, latin: tuple[Path, list[str]]) -> None:
    """With pdfLaTeX, booktabs and graphicx: in one column and in two."""
    folder, names = latin
    needed("pdflatex")

    def log_of(name: str) -> str:
        columns = "twocolumn" if len(name) % 2 else "onecolumn"
        text = "\n".join([
            rf"\documentclass[{columns}]{{article}}",
            r"\usepackage{booktabs,graphicx}",
            r"\begin{document}",
            rf"\input{{{name}}}",
            r"\end{document}",
        ])  # fmt: skip
        return compiled("pdflatex", folder, text, name.replace("/", "-").removesuffix(".tex"))

    mine = [one for one in names if one.startswith(paper)]
    with ThreadPoolExecutor(2) as pool:
        logs = dict(zip(mine, pool.map(log_of, mine), strict=True))
    assert {name: found for name, log in logs.items() if (found := faults(log))} == {}


def test_without_a_folder_of_fonts_those_of_the_system_are_taken(
    latin: tuple[Path, list[str]],
) -> None:
    """Whichever it has: where it lacks a script, the names of that script show boxes."""
    folder, _ = latin
    name = next(iter(NATIVE.values()))
    cell = Cell("", name, "x", 50.0, 6)
    table = Table("mmath", "one", "Title", "paper", [cell], [])
    text = "\n".join([
        r"\documentclass{article}", r"\input{preamble}", r"\begin{document}", latex(table),
        r"\end{document}",
    ])  # fmt: skip
    compiled("xelatex", folder, text, "system")


def test_a_table_of_many_rows_goes_on_under_one_number(tmp_path: Path) -> None:
    cells = [Cell(block, f"row {at}", "A column", 50.0, 6)
             for block, rows in (("One", MOST // 2), ("Two", 3 * MOST), ("Three", 5))
             for at in range(rows)]  # fmt: skip
    long = latex(Table("mmath", "long", "Long", "paper", cells, ["A note."] * 30))
    short = latex(Table("mmath", "short", "Short", "paper", cells[:3], []))
    text = "\n".join([
        r"\documentclass{article}", r"\usepackage{booktabs,graphicx}", r"\begin{document}",
        long, short, r"See \ref{tab:mmath:long} and \ref{tab:mmath:short}.",
        r"\end{document}",
    ])  # fmt: skip
    log = compiled("pdflatex", tmp_path, text)
    assert faults(log) == []
    numbers = re.findall(r"newlabel{tab:mmath:(\w+)}{{(\d+)}", (tmp_path / "try.aux").read_text())
    assert numbers == [("long", "1"), ("short", "2")]
    assert long.count(r"\begin{table}") == long.count("(continued)") + 1 >= 4


def test_a_row_that_begins_like_an_argument_is_a_row(tmp_path: Path) -> None:
    """After a line break LaTeX takes [2pt] for a space and * for a sign."""
    rows = ["[2pt] a", "*b", "[c", "d]"]
    cells = [Cell(row, row, row, 50.0, 6) for row in rows]
    table = latex(Table("mmath", "odd", "[Odd]", "paper", cells, ["[1] *"], heading="[h]"))
    text = "\n".join([
        r"\documentclass{article}", r"\usepackage{booktabs,graphicx}", r"\begin{document}", table,
        r"\end{document}",
    ])  # fmt: skip
    compiled("pdflatex", tmp_path, text)
    if (pdftotext := shutil.which("pdftotext")) is not None:
        shown = subprocess.run([pdftotext, tmp_path / "try.pdf", "-"], stdout=subprocess.PIPE,
                               text=True, check=True).stdout  # fmt: skip
        assert shown.count("[2pt] a") == 3 and len(re.findall(r"∗b|\*b", shown)) == 3
