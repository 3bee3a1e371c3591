"""``python -m trainlint``: the same as the ``trainlint`` command.

``python -m`` lets modules be imported from the working folder before all others, and that is where the code under analysis is: a
``click.py`` or ``json.py`` there would be executed. So the folder is taken off the path before anything else is imported. (Only
the name ``trainlint`` itself is looked up before; the ``trainlint`` command and ``python -I -m trainlint`` never look there.)
"""

from __future__ import annotations

import os
import sys


def _leave_working_folder() -> None:
    if getattr(sys.flags, "safe_path", False) or not sys.path:
        return
    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib is not imported yet, and may be what lies there
    except OSError:
        here = ""
    if sys.path[0] in ("", here):
        del sys.path[0]


if __name__ == "__main__":
    _leave_working_folder()
    from trainlint.app.cli.main import main

    main(prog_name="trainlint")
