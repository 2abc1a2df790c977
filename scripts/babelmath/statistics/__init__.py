"""How sure a number is: intervals, paired differences, tests (docs/statistics.md)."""
