"""Answers of all languages in one plain notation, each rewrite listed by name.

`notation` runs the others in their order: `characters` (and `roots`), `markup`, `numbers` (and
`scopes`), `forms`, `words`.
"""
