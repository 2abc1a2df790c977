"""Verify distractors and make multiple-choice items, the same in every source language."""

from babelmath.choices import build_choices
from babelmath.config import Choices, Equivalence
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, Proposal, load_records, save_records
from babelmath.scoring.equivalence import Comparer


def main() -> None:
    params = snakemake.params
    sets = {
        lang: load_records(path, Problem)
        for lang, path in zip(params.languages, snakemake.input.problems, strict=True)
    }
    english = sets.pop("en")
    proposals = {one.id: one for one in load_records(snakemake.input.proposals, Proposal)}
    with Comparer(Equivalence.model_validate(params.equivalence)) as comparer:
        items, made = build_choices(
            english,
            {lang: {one.id: one for one in problems} for lang, problems in sets.items()},
            proposals,
            Choices.model_validate(params.how),
            comparer,
            params.seed,
            load_languages(snakemake.input.languages),
        )
    for lang, path in zip(params.languages, snakemake.output.choices, strict=True):
        save_records(path, [one for one in items if one.lang == lang])
    save_records(snakemake.output.made, made)


if __name__ == "__main__":
    run(main, snakemake.log)
