"""The report that is left behind when trainlint itself fails."""

from __future__ import annotations

import platform
import tempfile
import traceback
from pathlib import Path


def write_report(code: str, error: BaseException) -> Path:
    """Write what is known of a failure (no line of the checked code) to a new temporary file and return its path."""
    text = "".join(
        [
            f"trainlint failed in {code} under Python {platform.python_version()} on {platform.platform()}\n\n",
            *traceback.format_exception(type(error), error, error.__traceback__),
        ]
    )
    with tempfile.NamedTemporaryFile(
        "w", prefix="trainlint-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
    ) as file:
        file.write(text)
    return Path(file.name)
