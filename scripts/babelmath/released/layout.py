"""Which released file holds what: read from its place and its name (the release's own paths)."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import Literal

from babelmath.errors import InputError
from babelmath.files import sha256_file
from babelmath.released.oddities import Oddities

Family = Literal["judged", "generations", "choices", "identified"]
RESULTS = "Evaluation Results"
# Top folders of the results, by the beginning of their names ("Corss" is the release's spelling).
FOLDERS = {
    "zero shot": "zero-shot",
    "cot": "cot",
    "code switching": "code-switching",
    "corss lingual": "cross-lingual",
    "cross lingual": "cross-lingual",
    "mcq": "mcq",
    "perturbation": "perturbation",
}
SHORT = {"b": "bn", "e": "en"}
LANGUAGE_PAIR = re.compile(r"q\((b|e)\)_?\s*cot\((b|e)\)", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One result file: its family, setting, model slug, question language, and rank.

    Of two files for one place, that with the higher rank is read (the copies `with Answer Type`).
    """

    path: Path
    family: Family
    setting: str
    model: str
    lang: str
    rank: int


def result_files(root: Path) -> list[Path]:
    """All files under the results folder of a release, sorted; hidden ones are passed over.

    Folders that are links, which are not followed, and folders named like files stand among them.

    Raises:
        InputError: a folder that cannot be read.
    """

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise InputError(f"cannot be read: {error.strerror}", file=error.filename)

    found: list[Path] = []
    for folder, inner, names in os.walk(root / RESULTS, onerror=refuse):
        folders = [Path(folder, one) for one in inner]
        found += [one for one in folders if one.is_symlink() or _named_json(one)]
        found += [Path(folder, one) for one in names if not one.startswith(".")]
    return sorted(found)


def recognise(
    root: Path, path: Path, models: Mapping[str, str], names: Mapping[str, str]
) -> list[Part] | str:
    """What a result file holds, or why it cannot be told.

    Args:
        models: a word of the file names by model slug (`GPT` for gpt-oss-20b).
        names: language codes by their English names.

    Returns:
        One part, or two for perturbation files, which hold detection and identification both.
    """
    place = PurePosixPath(path.relative_to(root / RESULTS).as_posix())
    if not _named_json(place):
        return "its name does not end in .json"
    top = place.parts[0].lower() if len(place.parts) > 1 else ""
    setting = next((one for start, one in FOLDERS.items() if top.startswith(start)), None)
    if setting is None:
        return "its folder belongs to no setting"
    found = [slug for slug, word in models.items() if word.lower() in place.name.lower()]
    if len(found) != 1:
        return f"its name holds {'no' if not found else 'more than one'} configured model's word"
    judged = any(part.lower() == "accuracy check" for part in place.parts[:-1])
    lang: str | None
    if setting == "code-switching":
        pair = LANGUAGE_PAIR.search(place.name)
        if pair is None:
            return "its name holds no Q(..) and CoT(..)"
        lang, reasoning = (SHORT[one.lower()] for one in pair.groups())
        setting = f"cs-{lang}-{reasoning}"
        judged = place.name.lower().startswith("evaluation_results")
    else:
        lang = _language(place, names)
        if lang is None:
            return "neither its folder nor its name holds one language"
    rank = int("with answer type" in str(place).lower())

    def part(family: Family, name: str) -> Part:
        return Part(path, family, name, found[0], lang, rank)

    if setting == "mcq":
        return [part("choices", setting)]
    if setting == "perturbation":
        family: Family = "identified" if judged else "generations"
        return [part(family, "detect"), part(family, "identify")]
    return [part("judged" if judged else "generations", setting)]


def sort_files(
    root: Path,
    models: Mapping[str, str],
    names: Mapping[str, str],
    languages: Container[str],
    oddities: Oddities,
) -> dict[str, list[Part]]:
    """The result files of a release by setting; those that cannot be told are counted and left out.

    Args:
        languages: the question languages that are imported.
    """
    found: dict[str, list[Part]] = {}
    contents: dict[str, Path] = {}
    for path in result_files(root):
        parts = recognise(root, path, models, names) if path.is_file() else "it is no file"
        if isinstance(parts, str):
            oddities.add(path, "file not recognised", None, parts, "left out")
            continue
        try:
            other = contents.setdefault(sha256_file(path), path)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path) from None
        if other is not path:
            oddities.add(path, "same bytes as another file", None, other.name,
                         "both are read: one may be a copy under a wrong name")  # fmt: skip
        for part in parts:
            if part.lang in languages:
                found.setdefault(part.setting, []).append(part)
    named = {part.model for parts in found.values() for part in parts}
    for model in sorted(models.keys() - named):
        oddities.add(root / RESULTS, f"no file of {model}", None, models[model], "no records")
    return found


def chosen(parts: Iterable[Part], oddities: Oddities) -> dict[tuple[Family, str, str], Part]:
    """The file to read for each (family, model, language) of one setting; other copies are counted.

    Raises:
        InputError: two files claim one place, neither being the other's copy of lower rank.
    """
    best: dict[tuple[Family, str, str], Part] = {}
    for part in sorted(parts, key=lambda one: -one.rank):
        other = best.setdefault((part.family, part.model, part.lang), part)
        if other is part:
            continue
        if other.rank == part.rank:
            raise InputError(
                f"holds {part.family} records of {part.model} in {part.lang} ({part.setting}), "
                f"and so does {other.path}",
                file=part.path,
                remedy="Keep one of the two files.",
            )
        oddities.add(part.path, "copy of another file", None, other.path.name, "not read")
    return best


def _named_json(path: PurePath) -> bool:
    return path.suffix.lower() == ".json"


def _language(place: PurePosixPath, names: Mapping[str, str]) -> str | None:
    """The one language named in a path's folders, else in the file's name."""
    for text in ("/".join(place.parts[:-1]), place.name):
        found = {code for name, code in names.items() if name.lower() in text.lower()}
        if len(found) == 1:
            return found.pop()
    return None
