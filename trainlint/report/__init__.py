"""How results are shown: one module per format, each a pure function from findings to text."""
