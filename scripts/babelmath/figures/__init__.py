"""Figures of both papers: functions from a frame to a Matplotlib figure, and one that saves it."""
