"""``returned.py PROGRAM FUNCTION COUNT``: call a function with a count and print what it returns, as JSON."""

from __future__ import annotations

import json
import runpy
import sys

if __name__ == "__main__":
    print(json.dumps(runpy.run_path(sys.argv[1])[sys.argv[2]](int(sys.argv[3]))))
