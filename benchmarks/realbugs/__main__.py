"""``python -m benchmarks.realbugs``."""

from __future__ import annotations

import sys

from .evaluate import main

if __name__ == "__main__":
    sys.exit(main())
