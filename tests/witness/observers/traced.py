"""``traced.py PROGRAM``: run each case of the program and print what became of it, as JSON.

Of ``bad_…`` and ``good_…`` it is the name of the error or None, of ``many_…`` and ``once_…`` how often a function was traced, of
``same_…`` what it returns.
"""

from __future__ import annotations

import json
import runpy
import sys
from typing import Any


def ended(case: Any, given: Any) -> str | None:
    """The class of the error in which a case ends."""
    try:
        case(given)
    except Exception as error:  # noqa: BLE001 - whatever the framework says
        return type(error).__name__
    return None


if __name__ == "__main__":
    program = runpy.run_path(sys.argv[1])
    found: dict[str, object] = {}
    for name, case in program.items():
        if name.startswith(("bad_", "good_")):
            found[name] = ended(case, program["X"])
        elif name.startswith("same_"):
            found[name] = case(program["X"])
        elif name.startswith(("many_", "once_")):
            case(program["X"])
            found[name] = program["TRACES"][name]
    print(json.dumps(found))
