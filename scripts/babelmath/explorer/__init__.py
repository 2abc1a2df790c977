"""The explorer: a static page on which single generations are read."""
