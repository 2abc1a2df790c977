"""Import the released responses and verdicts of all models and settings."""

from pathlib import Path

from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import ChoiceItem, Problem, load_records, save_records
from babelmath.released.importing import import_setting
from babelmath.released.joining import Corpus
from babelmath.released.layout import chosen, sort_files
from babelmath.released.oddities import Oddities, save_oddities


def main() -> None:
    params, files, folder = snakemake.params, snakemake.input, Path(snakemake.params.folder)
    oddities = Oddities(folder)
    names = {one.name: lang for lang, one in load_languages(files.languages).items()}
    items = [one for path in files.choices for one in load_records(path, ChoiceItem)]
    corpora = {}
    for path in files.problems:
        problems = load_records(path, Problem)
        lang = problems[0].lang
        corpora[lang] = Corpus(
            {one.id: one for one in problems}, [one for one in items if one.lang == lang]
        )
    parts = sort_files(folder, params.models, names, corpora, oddities)
    root = Path(params.root)
    for setting, scorers in params.settings.items():
        read = chosen(parts.get(setting, []), oddities)
        found = import_setting(setting, read, scorers, corpora, params.whole, oddities)
        for model, imported in found.items():
            save_records(root / "generations" / setting / f"{model}.jsonl", imported.generations)
            for scorer, verdicts in imported.verdicts.items():
                save_records(root / "verdicts" / setting / model / f"{scorer}.jsonl", verdicts)
    save_oddities(snakemake.output.oddities, oddities)


if __name__ == "__main__":
    run(main, snakemake.log)
