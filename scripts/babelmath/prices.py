"""What tokens cost: prices of models, and the share that a batch costs."""

from __future__ import annotations

from typing import NamedTuple

from babelmath.config import Config


class Rate(NamedTuple):
    """US dollars for a million prompt and new tokens of a model.

    `batch` is the share of it that tokens of a batch cost, `now` the share that is charged for what
    the present configuration sends.
    """

    input: float
    output: float
    batch: float = 1.0
    now: float = 1.0

    def cost(self, prompt: int, new: int) -> float:
        """US dollars of tokens at the full price."""
        return (prompt * self.input + new * self.output) / 1e6

    def known(self, prompt: int, new: int, batch_prompt: int, batch_new: int) -> float:
        """US dollars of tokens, of which some came by batches."""
        return self.cost(prompt, new) - (1 - self.batch) * self.cost(batch_prompt, batch_new)

    def most(self, prompt: int, new: int) -> float:
        """US dollars of tokens that the present configuration may be charged for."""
        return self.now * self.cost(prompt, new)


def prices(config: Config) -> dict[str, Rate]:
    """The rates of the models that have a price."""
    return {
        name: Rate(price.input, price.output, price.batch, price.batch if model.batch else 1.0)
        for name, model in config.models.items()
        if (price := model.price) is not None
    }
