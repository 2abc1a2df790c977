"""What the unit tests share: records with defaults, a stand-in for the models, tables of cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from babelmath.asking import Answered
from babelmath.audit.claims import Claim
from babelmath.config import Sampling
from babelmath.engines import Request, Response
from babelmath.languages import Language, load_languages
from babelmath.records import Construction, Generation, Perturbed, Problem

UNTIMED = settings(deadline=None)  # no property depends on time
CASES = Path(__file__).parent / "cases"
REPOSITORY = Path(__file__).resolve().parent.parent
PROMPTS = REPOSITORY / "prompts"
LANGUAGES: dict[str, Language] = load_languages(
    sorted((REPOSITORY / "resources" / "languages").glob("*.yaml"))
)
SAMPLING = Sampling(temperature=0.0, max_tokens=8)


def read_cases(file: str) -> list[dict[str, Any]]:
    """The lines of a table of cases."""
    text = (CASES / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def each_case(file: str) -> pytest.MarkDecorator:
    """Run a test with each line of a table of cases, under the line's name."""
    rows = read_cases(file)
    return pytest.mark.parametrize("case", [pytest.param(row, id=row["name"]) for row in rows])


def problem(number: int = 1, lang: str = "en", **fields: Any) -> Problem:
    values: dict[str, Any] = {
        "id": f"mathmist-{number:04d}",
        "lang": lang,
        "subset": "corpus",
        "kind": "numerical",
        "subdomain": "Algebra",
        "question": "What is $2+3$?",
        "solution": "We add. Therefore the answer is $5$.",
        "answer": "$5$",
        "provenance": {"source": "bundled", "file": f"{lang}.jsonl", "line": number, "checks": []},
    }
    return Problem.model_validate(values | fields)


def generation(answer: str = "", **fields: Any) -> Generation:
    values: dict[str, Any] = {
        "id": "mathmist-0001",
        "lang": "en",
        "sample": 0,
        "thinking": "",
        "answer": answer,
        "raw": answer,
        "finish": "stop",
        "prompt_tokens": 1,
        "completion_tokens": 1,
        "seed": 1,
        "model": "m",
        "engine": "llamacpp",
        "sent": {},
        "flags": [],
        "provenance": {"journal": "key", "attempts": []},
    }
    return Generation.model_validate(values | fields)


def perturbed(number: int = 1, lang: str = "en", strategy: int = 3, **fields: Any) -> Perturbed:
    values: dict[str, Any] = {
        "id": f"mathmist-{number:04d}",
        "lang": lang,
        "strategy": strategy,
        "solution": "We multiply.\n$5$",
        "errors": [{"type": "incorrect_rule", "step": 1, "text": "We multiply"}],
        "checks": {},
        "provenance": {"source": "model"},
    }
    return Perturbed.model_validate(values | fields)


def construction(
    number: int = 1, lang: str = "en", field: str | None = "3", **fields: Any
) -> Construction:
    values: dict[str, Any] = {
        "id": f"mathmist-{number:04d}",
        "lang": lang,
        "stage": "perturbation",
        "field": field,
        "outcome": "accepted",
        "rounds": 0,
        "text": "We multiply.\n$5$",
        "reason": "",
        "history": [],
        "detail": {"errors": [{"type": "incorrect_rule", "step": 1, "text": "We multiply"}]},
    }
    return Construction.model_validate(values | fields)


def claim(id: str, printed: str, **fields: Any) -> Claim:
    """A claim as the ledger gives it: a percentage with the decimals that are printed."""
    unit = fields.get("unit", "percent")
    text = unit in ("name", "sentence") or printed == "N/A"
    decimals = fields.pop("decimals", None if text else len(printed.partition(".")[2]))
    exact = text or unit == "count"
    values: dict[str, Any] = {
        "id": id,
        "paper": "mathmist",
        "where": "tab:zero_cot",
        "row": "Model",
        "column": "English",
        "printed": printed,
        "unit": unit,
        "decimals": decimals,
        "population": "",
        "formula": "accuracy",
        "records": tuple(fields.pop("records", "cot m en all").split()),
        "checks": (),
        "source": "paper",
        "value": None if text else Fraction(printed),
        "half": Fraction(0) if exact else Fraction(1, 2) / Fraction(10) ** decimals,
        "n": None,
        "line": 2,
    }
    return Claim(**(values | fields))


class Replies:
    """Stands in for `asking.Models`: gives its replies in turn and keeps what was asked."""

    def __init__(self, *replies: str | Response) -> None:
        self._left = list(replies)
        self.asked: list[Request] = []
        self.names: list[str] = []

    def ask(self, name: str, requests: Sequence[Request], label: str) -> list[Answered]:
        answers = []
        for request in requests:
            reply = self._left.pop(0)
            self.asked.append(request)
            self.names.append(name)
            response = Response(text=reply, finish="stop") if isinstance(reply, str) else reply
            answers.append(Answered(f"key{len(self.asked)}", response))
        return answers
