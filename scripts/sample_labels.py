"""Draw language labels for a person to check."""

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.label_review import Sampler, sample_csv
from babelmath.records import Generation, LanguageRecord, iter_records


def main() -> None:
    files, params = snakemake.input, snakemake.params
    sampler = Sampler(params.seed)
    for (setting, model), generations, records in zip(
        params.pairs, files.generations, files.records, strict=True
    ):
        responses = iter_records(generations, Generation)
        sampler.add(setting, model, responses, iter_records(records, LanguageRecord))
    write_text(snakemake.output[0], sample_csv(sampler.drawn()))


if __name__ == "__main__":
    run(main, snakemake.log)
