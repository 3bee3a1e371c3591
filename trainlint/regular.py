"""Files of a strange repository: by which name they are known, and how they are read.

They may be laid out as traps: a pipe never ends, nor does a link to ``/dev/zero``.
"""

from __future__ import annotations

import os
import stat

#: Bytes of a file that somebody writes by hand: no configuration, list of requirements or script is larger.
LARGEST = 256 << 10
#: Windows changes line ends otherwise; a pipe is not waited for.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_BINARY"))


def absolute_path(path: str | os.PathLike[str]) -> str:
    """The whole path of a file under the name that it was given: ``..`` is gone, and links keep their names."""
    return os.path.abspath(path)  # noqa: PTH100 - Path.resolve follows links, Path.absolute keeps ``..``


def read_regular(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a regular file, of a longer one the first ``most`` and one more. Raises OSError for anything else."""
    descriptor = os.open(path, _FLAGS)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is not a regular file")
        return file.read(most + 1)
