"""How results are shown: one module per format, each a pure function from findings to text."""

ALL_PASSED = "All checks passed!\n"
"""What is said when there is nothing else to say."""
NOTHING_IN_TIME = "Nothing was found in what there was time for.\n"
"""What is said instead where not all rules were asked."""
