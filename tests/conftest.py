"""What holds for all tests."""

from __future__ import annotations

import gc
import os

import hypothesis

# The programs that tests start keep their bytecode, as an installed one does: where it may not be written (which is usual in
# containers), each of hundreds of processes would compile all of the tool again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# How long one example takes says how busy the machine is. Which examples there are says the test, not chance: what a change has
# nothing to do with must not decide whether it may land. `--hypothesis-profile random` has others each time.
hypothesis.settings.register_profile("trainlint", deadline=None, derandomize=True)
hypothesis.settings.register_profile("random", deadline=None)
hypothesis.settings.load_profile("trainlint")


def pytest_runtest_teardown() -> None:
    """The command, where a test runs it in this process, leaves Python's collector off: as a program it would end now."""
    if not gc.isenabled():
        gc.unfreeze()
        gc.enable()
