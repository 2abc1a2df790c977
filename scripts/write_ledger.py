"""Write the ledger of requests, tokens and costs."""

from pathlib import Path

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.ledger import Money, ledger
from babelmath.prices import Rate


def main() -> None:
    params = snakemake.params
    prices = {name: Rate(*price) for name, price in params.prices.items()}
    money = Money(prices, params.services, params.most_cost)
    frame = ledger(Path(params.journal), params.models, params.budget, money)
    write_text(snakemake.output[0], frame.write_csv())


if __name__ == "__main__":
    run(main, snakemake.log)
