"""``losses.py PROGRAM STEPS``: train what the program trains and print what it says of that, as JSON: the loss of each step."""

from __future__ import annotations

import json
import runpy
import sys

if __name__ == "__main__":
    print(json.dumps(runpy.run_path(sys.argv[1])["train"](int(sys.argv[2]))))
