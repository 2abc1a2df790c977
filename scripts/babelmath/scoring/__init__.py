"""Scorers: what a response is worth, and why."""
