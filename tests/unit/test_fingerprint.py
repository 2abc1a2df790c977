"""Hashes of code: an edit changes the hash of exactly the scripts that run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from babelmath.fingerprint import code_of

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((REPOSITORY / "scripts").glob("*.py"))
FILES = {
    "solve.py": "from babelmath.engine import ask\nimport json\n",
    "draw.py": "from babelmath import figure\n",
    "plain.py": "import sys\n",
    "babelmath/__init__.py": "",
    "babelmath/engine.py": "from babelmath.files import read\n",
    "babelmath/files.py": "import babelmath.errors\n",
    "babelmath/errors.py": "WORD = 1\n",
    "babelmath/figure.py": "def draw():\n    from babelmath.parts.axes import AXES\n",
    "babelmath/parts/__init__.py": "from babelmath.parts import colours\n",
    "babelmath/parts/axes.py": "AXES = 2\n",
    "babelmath/parts/colours.py": "RED = 3\n",
    "babelmath/unused.py": "from babelmath import engine\n",
}


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "scripts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "scripts"


def hashes(scripts: Path) -> dict[str, str]:
    return {
        name: code_of(scripts / f"{name}.py", scripts / "babelmath")
        for name in ("solve", "draw", "plain")
    }


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("solve.py", {"solve"}),
        ("babelmath/engine.py", {"solve"}),
        ("babelmath/files.py", {"solve"}),
        ("babelmath/errors.py", {"solve"}),
        ("babelmath/figure.py", {"draw"}),
        ("babelmath/parts/axes.py", {"draw"}),
        ("babelmath/unused.py", set()),
    ],
)
def test_an_edit_changes_the_hash_of_the_scripts_that_import_it(scripts, edited, changed):
    before = hashes(scripts)
    with open(scripts / edited, "a", encoding="utf-8") as file:
        file.write("# edited\n")
    after = hashes(scripts)
    assert {name for name in before if before[name] != after[name]} == changed


def test_a_new_import_brings_its_own_imports_in(scripts):
    before = hashes(scripts)["plain"]
    (scripts / "plain.py").write_text("import babelmath.engine\n", encoding="utf-8")
    with_engine = hashes(scripts)["plain"]
    (scripts / "babelmath/errors.py").write_text("WORD = 2\n", encoding="utf-8")
    assert len({before, with_engine, hashes(scripts)["plain"]}) == 3


def test_a_name_imported_from_a_package_may_be_a_module(scripts):
    (scripts / "plain.py").write_text("from babelmath.parts import colours\n", encoding="utf-8")
    before = hashes(scripts)["plain"]
    (scripts / "babelmath/parts/colours.py").write_text("RED = 4\n", encoding="utf-8")
    assert hashes(scripts)["plain"] != before


def test_modules_that_import_each_other_end(scripts):
    (scripts / "babelmath/errors.py").write_text("import babelmath.engine\n", encoding="utf-8")
    assert hashes(scripts)["solve"]


def test_the_hash_does_not_depend_on_where_the_repository_lies(scripts, tmp_path):
    before = hashes(scripts)
    scripts.rename(tmp_path / "moved")
    assert hashes(tmp_path / "moved") == before


def test_a_hash_is_sixteen_hexadecimal_digits(scripts):
    assert all(
        len(one) == 16 and set(one) <= set("0123456789abcdef") for one in hashes(scripts).values()
    )


def test_a_touched_file_keeps_its_hash(scripts):
    before = hashes(scripts)
    (scripts / "babelmath/errors.py").touch()
    assert hashes(scripts) == before


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_of_the_repository_has_a_hash(script):
    assert len(code_of(script, REPOSITORY / "scripts" / "babelmath")) == 16
