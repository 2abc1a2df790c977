"""A few columns of large JSONL files, a block at a time; the schema says where a fault is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import polars as pl

from babelmath.errors import InputError
from babelmath.files import parse_line
from babelmath.questions import STRATEGY
from babelmath.records import (
    WITHOUT_TEXT,
    ChoiceItem,
    Generation,
    Perturbed,
    Problem,
    Record,
    Status,
    Verdict,
    validate,
)

BLOCK = 16 * 2**20  # bytes that are read at once
KEYS = ("id", "lang", "sample")
Schema = Mapping[str, pl.DataType | type[pl.DataType]]
Change = Callable[[pl.DataFrame], pl.DataFrame]

VERDICTS: Schema = {"id": pl.String, "lang": pl.String, "sample": pl.Int64, "scorer": pl.String,
                    "status": pl.String, "correct": pl.Boolean, "extracted": pl.String,
                    "gold": pl.String}  # fmt: skip
GENERATIONS: Schema = {"id": pl.String, "lang": pl.String, "sample": pl.Int64, "raw": pl.String,
                       "flags": pl.List(pl.String)}  # fmt: skip
PROBLEMS: Schema = {"id": pl.String, "lang": pl.String, "subset": pl.String, "kind": pl.String,
                    "question": pl.String}  # fmt: skip
CHOICES: Schema = {"id": pl.String, "lang": pl.String, "question": pl.String,
                   "options": pl.List(pl.String)}  # fmt: skip
PERTURBED: Schema = {"id": pl.String, "lang": pl.String, "strategy": pl.Int64,
                     "solution": pl.String}  # fmt: skip


def verdicts(path: Path, scorer: str) -> pl.DataFrame:
    """Verdicts of one scorer: id, lang, sample, status, correct; sorted by key.

    Raises:
        InputError: no such file, a damaged line, a verdict of another scorer or one that
            contradicts its status, a repeated key; with file and line.
    """
    rows = _read(path, VERDICTS, Verdict, _sound(scorer),
                 lambda block: block.select(*KEYS, "status", "correct"))  # fmt: skip
    _unique(path, rows, KEYS)
    return rows.sort(KEYS)


def readings(path: Path, scorer: str, wanted: pl.DataFrame) -> pl.DataFrame:
    """What a scorer read of the wanted responses (id, lang, sample): extracted, gold."""
    return _read(
        path, VERDICTS, Verdict, _sound(scorer),
        lambda block: block.select(*KEYS, "extracted", "gold").join(wanted, on=KEYS, how="semi"),
    )  # fmt: skip


def responses(path: Path, wanted: pl.DataFrame) -> pl.DataFrame:
    """Hashes of the wanted responses' raw text, and whether it is the model's own: id, lang,
    sample, hash, own. Hashes are of this process alone."""

    def kept(block: pl.DataFrame) -> pl.DataFrame:
        return block.join(wanted, on=KEYS, how="semi").select(
            *KEYS, hash=pl.col("raw").hash(), own=~pl.col("flags").list.contains(WITHOUT_TEXT)
        )

    return _read(path, GENERATIONS, Generation, pl.col("raw").is_not_null(), kept)


def asked(root: Path, benchmark: str, lang: str, task: str) -> pl.DataFrame:
    """What a run asks in a language: id, lang, part (the kind, else the subset), text (a hash of
    the question, with its options or the flawed solution where the task has them)."""
    home = root / benchmark
    rows = _read(
        home / f"problems/{lang}.jsonl", PROBLEMS, Problem, pl.col("question").is_not_null(),
        lambda block: block.select("id", "lang", pl.coalesce("kind", "subset").alias("part"),
                                   pl.col("question").hash().alias("text")),
    )  # fmt: skip
    more: pl.DataFrame | None = None
    if task == "choose":
        more = _read(
            home / f"choices/{lang}.jsonl", CHOICES, ChoiceItem, pl.col("options").is_not_null(),
            lambda block: block.select(
                "id", more=pl.concat_list("question", "options").list.join("\x1f").hash()
            ),
        )  # fmt: skip
    elif task in ("detect", "identify"):
        more = _read(
            home / f"perturbed/{lang}.jsonl", PERTURBED, Perturbed,
            pl.col("solution").is_not_null(),
            lambda block: block.filter(pl.col("strategy") == STRATEGY).select(
                "id", more=pl.col("solution").hash()
            ),
        )  # fmt: skip
    if more is None:
        return rows
    joined = rows.join(more, on="id", how="left", maintain_order="left")
    return joined.with_columns(text=pl.struct("text", "more").hash()).drop("more")


def _sound(scorer: str) -> pl.Expr:
    return (
        (pl.col("sample") >= 0)
        & (pl.col("scorer") == scorer)
        & pl.col("status").is_in(get_args(Status))
        & (pl.col("correct") == (pl.col("status") == "correct"))
    )


def _read(
    path: Path, schema: Schema, model: type[Record], sound: pl.Expr, change: Change
) -> pl.DataFrame:
    key = [name for name in KEYS if name in schema]
    kept = pl.all_horizontal(pl.col(*key).is_not_null()) & sound
    frames = [change(pl.DataFrame(schema=schema))]
    for first, block in _blocks(path):
        try:
            rows = pl.read_ndjson(block, schema=schema)
            fine = (
                rows.height == block.count(b"\n")
                and rows.select(kept.fill_null(False).all()).item()
            )
        except pl.exceptions.PolarsError:
            fine = False
        if not fine:
            rows = _slow(path, first, block, schema, model)
            odd = rows.select(
                at=(~kept.fill_null(False)).arg_max(), odd=(~kept.fill_null(False)).any()
            )
            if odd["odd"].item():
                at = odd["at"].item()
                raise InputError(
                    "is not what this place holds", file=path, line=_line(first, block, at),
                    value=rows.row(at, named=True).get("scorer", rows.row(at)),
                    remedy="Remove the file and run again.",
                )  # fmt: skip
        frames.append(change(rows))
    return pl.concat(frames)


def _blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """The file's lines in blocks, with the number of each block's first line."""
    number, rest = 1, b""
    try:
        with open(path, "rb") as handle:
            while read := handle.read(BLOCK):
                if number == 1 and not rest:
                    read = read.removeprefix(b"\xef\xbb\xbf")
                whole, mark, after = read.rpartition(b"\n")
                if not mark:
                    rest += read
                    continue
                block = rest + whole + mark
                yield number, block
                number, rest = number + block.count(b"\n"), after
    except FileNotFoundError:
        raise InputError(
            "no such file", file=path, remedy="The run is not finished: run it again."
        ) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    if rest:
        yield number, rest + b"\n"


def _slow(
    path: Path, first: int, block: bytes, schema: Schema, model: type[Record]
) -> pl.DataFrame:
    """The way through the schema, which says where a fault is."""
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(block.split(b"\n"), start=first):
        if line.strip():
            record = validate(parse_line(line, path, number), model, path, number)
            rows.append({name: getattr(record, name) for name in schema})
    return pl.DataFrame(rows, schema=schema, orient="row")


def _line(first: int, block: bytes, at: int) -> int:
    """The line of a block's record; blank lines are none."""
    lines = [number for number, line in enumerate(block.split(b"\n"), start=first) if line.strip()]
    return lines[at]


def _unique(path: Path, rows: pl.DataFrame, key: tuple[str, ...]) -> None:
    twice = rows.with_row_index().filter(~pl.struct(key).is_first_distinct())
    if twice.height:
        again = twice.row(0, named=True)
        raise InputError(
            f"key {tuple(again[name] for name in key)} stands twice", file=path,
            line=_numbered(path, again["index"]), remedy="Remove one of the two lines.",
        )  # fmt: skip


def _numbered(path: Path, at: int) -> int:
    """The line of a file's record."""
    seen = 0
    for first, block in _blocks(path):
        held = sum(bool(line.strip()) for line in block.split(b"\n"))
        if at < seen + held:
            return _line(first, block, at - seen)
        seen += held
    return 0
