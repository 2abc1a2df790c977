"""Two runs against each other: what changed by cell, and which responses."""
