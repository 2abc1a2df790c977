"""Hashes of code: an edit changes the hash of exactly the scripts that run it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from babelmath.fingerprint import code_of, essence

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
        file.write("EDITED = 1\n")
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


SAID = '''"""What it is."""

import json  # to read


class A:
    """A class."""


def f(x):
    """One # line."""

    y = """not # a comment

    nor a docstring"""  # a comment
    return x, "#", '\\'#', y
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("What it is.", "What it is and\nwhat not.", True),
        ("One # line.", "Another.", True),
        ("  # a comment", "", True),
        ("import json", "# why\n\n\nimport json   ", True),
        ("# to read", "#", True),
        ("not # a comment", "not # a comm", False),
        ("nor a", "\n    nor a", False),
        ('"#"', '"##"', False),
        ("return x,", "return y,", False),
        ("import json", "import ast", False),
    ],
)
def test_what_does_nothing_is_not_in_the_hash(scripts, old, new, same):
    (scripts / "babelmath" / "errors.py").write_text(SAID, encoding="utf-8")
    before = hashes(scripts)
    assert SAID.count(old) == 1
    (scripts / "babelmath" / "errors.py").write_text(SAID.replace(old, new), encoding="utf-8")
    assert (hashes(scripts) == before) == same


@pytest.mark.heavy
def test_what_is_left_of_each_module_is_the_same_program(repository):
    def program(module: ast.Module) -> str:
        for node in ast.walk(module):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[0] if node.body else None
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    first.value.value = ""
        return ast.dump(module)

    modules = sorted((repository / "scripts").rglob("*.py"))
    assert len(modules) > 200
    for path in modules:
        source = path.read_text(encoding="utf-8")
        left = essence(source, ast.parse(source))
        assert program(ast.parse(left)) == program(ast.parse(source)), path
        assert not re.search(r"^[ \t]*#", left, re.MULTILINE), path


def test_every_rule_with_a_script_carries_the_hash_of_that_script(repository):
    for file in sorted((repository / "rules").glob("*.smk")):
        script = None
        for block in re.split(r"\n(?=(?:use )?rule )", file.read_text("utf-8"))[1:]:
            head = block.splitlines()[0]
            found = re.search(r'script:\s+"\.\./scripts/(\w+)\.py"', block)
            script = found[1] if found else script
            if "params:" in block or not head.startswith("use rule"):
                assert f'code=code("{script}")' in block, head
