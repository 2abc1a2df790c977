"""Measure the language labels of texts whose language is known."""

from babelmath.config import Identification
from babelmath.confusion import confusion, confusion_csv
from babelmath.files import write_text
from babelmath.identification import Identifier
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, load_records


def main() -> None:
    files, params = snakemake.input, snakemake.params
    languages = load_languages(files.languages).values()
    problems = [one for path in files.problems for one in load_records(path, Problem)]
    rows = []
    for weights in params.weights:
        how = Identification.model_validate({**params.how, "weights": weights})
        rows += confusion(problems, Identifier(how, languages), weights)
    write_text(snakemake.output[0], confusion_csv(rows))


if __name__ == "__main__":
    run(main, snakemake.log)
