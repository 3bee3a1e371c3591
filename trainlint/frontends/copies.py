"""Linters that check files in several processes: what is found out before they are started, all of them know."""

from __future__ import annotations


def will_be_copied() -> bool:
    """Whether the processes that this one starts are copies of it (``fork``: the default on Linux before Python 3.14)."""
    import multiprocessing

    # The first of all methods is the default; asking for it outright would settle it for the linter, too.
    method = multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]
    return multiprocessing.parent_process() is None and method == "fork"
