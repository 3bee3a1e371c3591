"""``rank.py PROGRAM FOLDER``: what one rank of a job does; the environment says which, as torchrun's does.

The ranks begin together, when all of them have imported PyTorch: on a busy machine that alone may take longer than the
short timeout of the programs. After the program's ``main`` the process stays until every rank is through, or for a while: a
rank that has nothing more to say is busy with other things in a real job. If it ended, gloo would close its connections, and
the rank that waits for it would fail for another reason than its timeout.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from pathlib import Path

LONGEST = 60.0  # seconds


def meet(folder: Path, where: str) -> None:
    """Say that this rank has come so far, and wait for the others."""
    (folder / f"{where}.{os.environ['RANK']}").touch()
    limit = time.monotonic() + LONGEST
    while len(list(folder.glob(f"{where}.*"))) < int(os.environ["WORLD_SIZE"]) and time.monotonic() < limit:
        time.sleep(0.05)


def main(program: str, folder: Path) -> None:
    """See the module."""
    names = runpy.run_path(program)
    meet(folder, "begin")
    try:
        names["main"]()
    finally:
        meet(folder, "end")
    sys.stdout.flush()
    sys.stderr.flush()
    # While Python shuts down, a thread of gloo that is still there may abort the process (torch 2.13, seen once, on a
    # loaded machine): that is over when the program is, and none of what is watched here.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
