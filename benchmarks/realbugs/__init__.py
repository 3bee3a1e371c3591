"""Real bugs in training code, and which linters find them. See README.md; ``python -m benchmarks.realbugs --help``."""
