"""trainlint finds, explains and repairs mistakes in training code: hangs, repeated data, leaks, ruined numbers.

The public face: :func:`check_paths` and :func:`check_source` return findings; rules are written against
:mod:`trainlint.authoring`.
"""

from __future__ import annotations

#: As in ``typing``, which is not imported here: ``python -m trainlint`` would take it from the working folder (``__main__``).
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from trainlint.finding import Finding

__version__ = "0.1.0"
__all__ = ["__version__", "check_paths", "check_source"]


def check_paths(
    paths: Sequence[Path], *, select: Sequence[str] | None = None, isolated: bool = True, executor: Executor | None = None
) -> list[Finding]:
    """Check files and folders and return what is wrong, in the order of output.

    ``select`` are codes, prefixes or names (default: the rules that are on by default); ``isolated`` ignores
    configuration files. With ``executor`` (any of ``concurrent.futures``, or a Dask client's) the work is done there, with the
    same findings; it is not shut down, and what it loses is done here. Its workers need trainlint and no files; they must be
    trusted. Raises ``trainlint.config.ConfigError`` for a selector or configuration that is wrong.
    """
    from trainlint.app.engine.driver import check
    from trainlint.config import Overrides, common_start, find_settings

    flags = {} if select is None else {"select": list(select)}
    settings = find_settings(common_start(list(paths)), Overrides(flags=flags), isolated=isolated)
    return check(list(paths), settings, executor=executor).findings


def check_source(code: str, *, path: Path | None = None, select: Sequence[str] | None = None) -> list[Finding]:
    """Check one text as if it were the file ``path`` (default: ``stdin.py`` in the working directory)."""
    from pathlib import Path as FilePath

    from trainlint.app.engine.driver import check
    from trainlint.config import Overrides, common_start, find_settings

    name = path or FilePath("stdin.py")
    flags = {} if select is None else {"select": list(select)}
    settings = find_settings(common_start([name]), Overrides(flags=flags), isolated=True)
    return check([], settings, stdin=(code.encode("utf-8", "surrogatepass"), name)).findings
