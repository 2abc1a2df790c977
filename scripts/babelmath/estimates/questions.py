"""What a run will ask, as far as this machine knows it: built problems, else sources, else English.

A language that is not built yet is stood in for by the source's English (or first) language: the
same problems, whose texts are as long as a measured ratio says.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from babelmath.config import Asked, Benchmark, Config, MathMist, Selection
from babelmath.languages import Language, load_language
from babelmath.questions import STRATEGY, options_text
from babelmath.records import ChoiceItem, Perturbed, Problem, load_records
from babelmath.releases import VARIABLES, local_folder
from babelmath.sources import read_problems, select, source_files


@dataclass(frozen=True)
class Expected:
    """One question to come.

    `text_lang` is the language of `values`: another than `lang` where the problem is not built in
    that yet. `made` says that parts of it (options, a flawed solution) are not built yet and stood
    in for.
    """

    id: str
    lang: str
    values: dict[str, str]
    text_lang: str
    made: bool = False

    @property
    def real(self) -> bool:
        """Whether it is asked in exactly these words."""
        return self.text_lang == self.lang and not self.made


@dataclass
class Stock:
    """The problems of a benchmark that are here, by language."""

    name: str
    benchmark: Benchmark
    config: Config
    languages: dict[str, Language] = field(default_factory=dict)

    @functools.cached_property
    def root(self) -> Path:
        """The benchmark's results."""
        return Path(self.config.paths.results) / self.name

    @functools.cached_property
    def problems(self) -> dict[str, list[Problem]]:
        """Problems by language: of a finished step, or of the source's files.

        Raises:
            InputError: a bad source, as at the start of a run.
        """
        found = self.sources if self.outdated else self.sources | self.built
        return {lang: found[lang] for lang in self.benchmark.languages if lang in found}

    @functools.cached_property
    def built(self) -> dict[str, list[Problem]]:
        """Problems of finished steps by language, of whatever configuration made them."""
        paths = {one: self.root / "problems" / f"{one}.jsonl" for one in self.benchmark.languages}
        return {lang: load_records(path, Problem) for lang, path in paths.items() if path.is_file()}

    @functools.cached_property
    def sources(self) -> dict[str, list[Problem]]:
        """The configured problems of the source's files that are here, by language."""
        found = {lang: self._source(lang) for lang in self.benchmark.source_languages}
        return {lang: problems for lang, problems in found.items() if problems}

    @functools.cached_property
    def outdated(self) -> bool:
        """Whether a run will build all anew, since other problems are configured than are built."""
        return any(
            _asked(self.built[lang]) != _asked(problems)
            for lang, problems in self.sources.items()
            if lang in self.built
        )

    @property
    def origin(self) -> str | None:
        """The language that stands in for those that are not built: English where it is there."""
        held = [one for one in self.benchmark.source_languages if one in self.problems]
        return "en" if "en" in held else next(iter(held), None)

    def language(self, code: str) -> Language:
        """A language's data."""
        if code not in self.languages:
            self.languages[code] = load_language(self.config.paths.languages, code)
        return self.languages[code]

    def missing(self) -> str:
        """How to get the questions that are not here."""
        place = f"results/published/run/fetched-{self.name}.json"
        return (
            f"{self.name}: no questions here, so counts are unknown; fetch the release first "
            "(.venv/bin/snakemake --cores 1 --configfile config/published.yaml "
            f"{place}), or name a local copy by {VARIABLES[self.name]} or source.folder"
        )

    def choices(self, lang: str) -> dict[str, ChoiceItem] | None:
        """Built multiple-choice items; None where there are none yet."""
        path = self.root / "choices" / f"{lang}.jsonl"
        if self.outdated or not path.is_file():
            return None
        return {one.id: one for one in load_records(path, ChoiceItem)}

    def flawed(self, lang: str) -> dict[str, Perturbed] | None:
        """Built flawed solutions of the strategy that settings ask about."""
        path = self.root / "perturbed" / f"{lang}.jsonl"
        if self.outdated or not path.is_file():
            return None
        return {one.id: one for one in load_records(path, Perturbed) if one.strategy == STRATEGY}

    def selected(self, selection: Selection) -> set[str]:
        """Ids of a selection, from the population that a run selects from."""
        first = self.problems.get(self.benchmark.source_languages[0])
        population = first or self.problems[self.origin or ""]
        return set(select(population, selection, self.config.seed))

    def _source(self, lang: str) -> list[Problem]:
        source, release = self.benchmark.source, self.benchmark.source.format == "released"
        folders: Iterable[str | None] = [local_folder(self.name, source.folder)]
        if release:
            folders = [*folders, f"sources/{self.name}/{source.commit}"]
        language = self.language(lang)
        for folder in folders:
            path = Path(folder or "") / source_files(self.name, release, language)
            if folder and path.is_file():
                problems = read_problems(self.name, path, language, release)
                chosen = set(select(problems, self.benchmark.subset, self.config.seed))
                return [one for one in problems if one.id in chosen]
        return []


def expected(stock: Stock, setting: Asked) -> list[Expected]:
    """The questions of a setting, the same problems in every language.

    Raises:
        InputError: from records and sources.
    """
    by_language = {lang: _values(stock, setting, lang) for lang in setting.question_languages}
    common = set.intersection(*(set(one) for one in by_language.values()))
    if setting.items == "sample" and isinstance(stock.benchmark, MathMist):
        common &= stock.selected(setting.sample or stock.benchmark.sample)
    return [one for values in by_language.values() for key, one in values.items() if key in common]


def _asked(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    return [(one.id, one.question) for one in problems]


def _values(stock: Stock, setting: Asked, lang: str) -> dict[str, Expected]:
    text_lang = lang if lang in stock.problems else (stock.origin or "")
    problems = stock.problems[text_lang]
    choices = stock.choices(lang) if setting.task == "choose" else None
    flawed = stock.flawed(lang) if setting.task in ("detect", "identify") else None
    found: dict[str, Expected] = {}
    for one in problems:
        values, made = {"question": one.question}, False
        if setting.task == "choose":
            if one.kind == "proof" or (choices is not None and one.id not in choices):
                continue
            item = choices[one.id] if choices is not None else None
            options = item.options if item else [one.answer] * 4
            values = {"question": item.question if item else one.question,
                      "options": options_text(options)}  # fmt: skip
            made = item is None
        elif setting.task in ("detect", "identify"):
            if flawed is not None and one.id not in flawed:
                continue
            solution = flawed[one.id].solution if flawed is not None else one.solution or ""
            values, made = values | {"solution": solution}, flawed is None
        found[one.id] = Expected(one.id, lang, values, text_lang, made)
    return found
