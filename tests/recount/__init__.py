"""A second way to every table: plain Python over the JSON lines of a run's records.

Nothing of the library counts here: no frame, no estimator, no interval of its own.
"""
