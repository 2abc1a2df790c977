"""Write resources/stages.json: the workflow's stages and how they follow, from its rules.

Run by `make overview`. A stage is a script; its sentence is the script's first line; what it comes
after is read from Snakemake's own rule graph, less the arrows that follow from others.
"""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
GROUPS = {
    "sources": "Sources",
    "released": "Sources",
    "translation": "Building",
    "choices": "Building",
    "perturbation": "Building",
    "generation": "Evaluation",
    "verdicts": "Evaluation",
    "identification": "Evaluation",
    "tables": "Results",
    "figures": "Results",
    "explorer": "Results",
    "audit": "Results",
    "run": "Results",
}
RULE = re.compile(r"^(?:use rule (\w+) as|rule) (\w+)(?: with)?:", re.MULTILINE)
SCRIPT = re.compile(r'script:\s+"\.\./scripts/(\w+)\.py"')


def scripts() -> dict[str, tuple[str, str]]:
    """(script, group) of every rule; a rule made from another shares its script."""
    found: dict[str, tuple[str, str]] = {}
    for name, group in GROUPS.items():
        text = (HOME / "rules" / f"{name}.smk").read_text(encoding="utf-8")
        heads = list(RULE.finditer(text))
        for head, after in zip(heads, [*heads[1:], None], strict=True):
            script = SCRIPT.search(text, head.end(), after.start() if after else len(text))
            parent, rule = head.groups()
            found[rule] = (script.group(1), group) if script else found[parent]
    return found


def edges() -> set[tuple[str, str]]:
    """(before, after) pairs of rules, from `snakemake --rulegraph` at all scales."""
    found: set[tuple[str, str]] = set()
    for scale in ("config", "published", "paper"):
        flags = ["--rulegraph", "dot", "--nolock", "--forceall"]
        command = [
            sys.executable,
            "-m",
            "snakemake",
            *flags,
            "--configfile",
            f"config/{scale}.yaml",
        ]
        dot = subprocess.run(
            command, cwd=HOME, check=True, capture_output=True, text=True, env=without_copies()
        ).stdout
        names = dict(re.findall(r'(\d+)\s*\[\s*label\s*=\s*"(\w+)', dot))
        found |= {(names[a], names[b]) for a, b in re.findall(r"(\d+)\s*->\s*(\d+)", dot)}
    return found


def without_copies() -> dict[str, str]:
    """The environment without local copies of releases, so that the fetch is part of the graph."""
    return {key: value for key, value in os.environ.items() if not key.startswith("BABELMATH_")}


def reduced(after: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without the arrows that follow from others."""

    def before(stage: str) -> set[str]:
        return after[stage].union(*map(before, after[stage])) if after[stage] else set()

    return {
        stage: {one for one in ones if not any(one in before(two) for two in ones - {one})}
        for stage, ones in after.items()
    }


def stages() -> list[dict[str, object]]:
    """The stages as resources/stages.json holds them, in the order of the rule files."""
    rules = scripts()
    # These stand beside the flow of the data; shards are merged where a user splits a setting.
    alone = (
        "overview",
        "record_run",
        "record_environment",
        "record_inputs",
        "audit_arithmetic",
        "merge_shards",
    )
    drawn = {script: group for script, group in rules.values() if script not in alone}
    after: dict[str, set[str]] = {script: set() for script in drawn}
    for first, second in edges():
        one, two = (rules.get(rule, ("", ""))[0] for rule in (first, second))
        if one in drawn and two in drawn and one != two:
            after[two].add(one)
    shown = reduced(after)
    return [
        {
            "name": script,
            "title": script.replace("_", " "),
            "doc": ast.get_docstring(
                ast.parse((HOME / "scripts" / f"{script}.py").read_text(encoding="utf-8"))
            ).split("\n")[0],
            "group": group,
            "after": sorted(shown[script]),
        }
        for script, group in drawn.items()
    ]


def main() -> None:
    text = json.dumps(stages(), ensure_ascii=False, indent=2) + "\n"
    (HOME / "resources" / "stages.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
