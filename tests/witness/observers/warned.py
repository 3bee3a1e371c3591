"""``warned.py PROGRAM FUNCTION COUNT``: run a program's function and print the deprecation warnings, as JSON."""

from __future__ import annotations

import json
import runpy
import sys
import warnings

if __name__ == "__main__":
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        runpy.run_path(sys.argv[1])[sys.argv[2]](int(sys.argv[3]))
    print(json.dumps([str(each.message) for each in found if issubclass(each.category, (FutureWarning, DeprecationWarning))]))
