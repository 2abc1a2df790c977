"""Whether two answers in plain notation are the same mathematics: reading, forms, comparison.

Nothing here starts a process: `equivalence` decides what runs in this one and what in a worker.
"""
