"""The authors' released MathMist records: finding, reading and importing them."""
