"""What is looked for in every language's answers besides its own words: models fall into English.

The same lists stand in the language file of English, which answers asked in English use.
"""

from __future__ import annotations

FINAL_ANSWER = (
    "the final answer is", "the final answers are", "final answer is", "the correct answer is",
    "the answer is", "the answers are", "answer is", "answers are", "the final result is",
    "the final value is", "the result is", "final answer", "final answers", "final result",
    "final solution", "correct answer", "the final solution is", "answer", "answers:", "result:",
    "solution:", "ans.", "ans:",
)  # fmt: skip
COPULAS = (
    "is", "are", "equals", "equal to", "is equal to", "will be", "would be", "must be",
    "should be", "is therefore", "is thus", "is simply", "is given by", "comes out to be", "to be",
)  # fmt: skip
CONJUNCTIONS = ("and",)
ALTERNATIVES = ("or",)
NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
