"""What holds for all tests."""

from __future__ import annotations

import gc
import os

import hypothesis

# The programs that tests start keep their bytecode, as an installed one does: where it may not be written (which is usual in
# containers), each of hundreds of processes would compile all of the tool again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# How long one example takes says how busy the machine is.
hypothesis.settings.register_profile("trainlint", deadline=None)
hypothesis.settings.load_profile("trainlint")


def pytest_runtest_teardown() -> None:
    """The command, where a test runs it in this process, leaves Python's collector off: as a program it would end now."""
    if not gc.isenabled():
        gc.unfreeze()
        gc.enable()
