"""trainlint finds, explains and repairs mistakes in training code: hangs, repeated data, leaks, ruined numbers.

The public face: :func:`check_paths` and :func:`check_source` return findings; rules are written against
:mod:`trainlint.authoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from trainlint.finding import Finding

__version__ = "0.1.0"
__all__ = ["__version__", "check_paths", "check_source"]


def check_paths(paths: Sequence[Path], *, select: Sequence[str] | None = None, isolated: bool = True) -> list[Finding]:
    """Check files and folders and return what is wrong, in the order of output.

    ``select`` are codes, prefixes or names (default: the rules that are on by default); ``isolated`` ignores
    configuration files. Raises ``trainlint.config.ConfigError`` for a selector or configuration that is wrong.
    """
    from trainlint.config import Overrides, common_start, find_settings
    from trainlint.engine.driver import check

    flags = {} if select is None else {"select": list(select)}
    settings = find_settings(common_start(list(paths)), Overrides(flags=flags), isolated=isolated)
    return check(list(paths), settings).findings


def check_source(code: str, *, path: Path | None = None, select: Sequence[str] | None = None) -> list[Finding]:
    """Check one text as if it were the file ``path`` (default: ``stdin.py`` in the working directory)."""
    from pathlib import Path as FilePath

    from trainlint.config import Overrides, common_start, find_settings
    from trainlint.engine.driver import check

    name = path or FilePath("stdin.py")
    flags = {} if select is None else {"select": list(select)}
    settings = find_settings(common_start([name]), Overrides(flags=flags), isolated=True)
    return check([], settings, stdin=(code.encode("utf-8", "surrogatepass"), name)).findings
