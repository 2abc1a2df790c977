"""Import the released multiple-choice items."""

from pathlib import Path

from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, load_records, save_records
from babelmath.released.building import choices_file, corpus_of, read_choices
from babelmath.released.oddities import Oddities, save_oddities


def main() -> None:
    params, files, folder = snakemake.params, snakemake.input, Path(snakemake.params.folder)
    oddities = Oddities(folder)
    languages = load_languages(files.languages)
    places = zip(params.languages, files.problems, snakemake.output.choices, strict=True)
    for lang, kept, output in places:
        language = languages[lang]
        problems = corpus_of(folder, language)
        items = read_choices(folder / choices_file(language.name), lang, problems, oddities)
        chosen = {one.id for one in load_records(kept, Problem)}
        save_records(output, [one for one in items if one.id in chosen])
    save_oddities(snakemake.output.oddities, oddities)


if __name__ == "__main__":
    run(main, snakemake.log)
