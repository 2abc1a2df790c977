"""BabelMath: reproducing multilingual mathematics evaluations of language models.

Plain typed functions. Nothing here knows Snakemake, a results/ path or where a
configuration file lies.
"""

__version__ = "0.1.0"
