"""Import the released flawed solutions of all strategies."""

from pathlib import Path

from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, load_records, save_records
from babelmath.released.building import corpus_of, flawed_file, read_flawed
from babelmath.released.oddities import Oddities, save_oddities


def main() -> None:
    params, files, folder = snakemake.params, snakemake.input, Path(snakemake.params.folder)
    oddities = Oddities(folder)
    languages = load_languages(files.languages)
    places = zip(params.languages, files.problems, snakemake.output.perturbed, strict=True)
    for lang, kept, output in places:
        language = languages[lang]
        problems = corpus_of(folder, language)
        chosen = {one.id for one in load_records(kept, Problem)}
        records = [
            record
            for strategy in (1, 2, 3)
            for record in read_flawed(
                folder / flawed_file(language.name, strategy), lang, strategy, problems, oddities
            )
        ]
        save_records(output, [one for one in records if one.id in chosen])
    save_oddities(snakemake.output.oddities, oddities)


if __name__ == "__main__":
    run(main, snakemake.log)
