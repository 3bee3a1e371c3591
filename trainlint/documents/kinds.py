"""What kind of text a file beside the Python is, by its name."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["json", "yaml", "toml", "shell", "container", "requirements", "ini"]

#: Bytes: nobody writes a larger one by hand.
LARGEST = 256 << 10

_BY_SUFFIX: dict[str, Kind] = {
    ".json": "json",
    ".jsonc": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".ini": "ini",
    ".sh": "shell",
    ".bash": "shell",
    ".slurm": "shell",
    ".sbatch": "shell",
    ".pbs": "shell",
    ".lsf": "shell",
    ".dockerfile": "container",
    ".containerfile": "container",
}
#: What installers lock, which ends as no other text of its kind does.
_LOCKS: dict[str, Kind] = {"poetry.lock": "toml", "uv.lock": "toml", "pdm.lock": "toml", "Pipfile.lock": "json"}
# Compiled when a name needs them: most names of most folders do not.
_REQUIREMENTS = r"(?i)(?:requirements|constraints)[\w.-]*\.(?:txt|in)|[\w.-]*[-_.]?requirements\.(?:txt|in)"
_CONTAINER = r"(?i)(?:Docker|Container)file(?:[._-].*)?"
#: What a suffix says of another tool's files: `Dockerfile.py` is Python.
_NOT_A_CONTAINER = (".py", ".pyc", ".md", ".rst", ".ipynb", ".dockerignore")


def kind_of(name: str) -> Kind | None:
    """The kind of a file by its name without folders; None for one that is not read.

    >>> kind_of("ds_config.json"), kind_of("Dockerfile.gpu"), kind_of("requirements-dev.txt"), kind_of("train.py")
    ('json', 'container', 'requirements', None)
    """
    dot = name.rfind(".")
    kind = _BY_SUFFIX.get(name[dot:].lower()) if dot > 0 else None
    if kind is not None:
        return kind
    if name.endswith(".lock"):
        return _LOCKS.get(name)
    if name.endswith((".txt", ".in")) and re.fullmatch(_REQUIREMENTS, name):
        return "requirements"
    if "file" in name and re.fullmatch(_CONTAINER, name) and not name.lower().endswith(_NOT_A_CONTAINER):
        return "container"
    return None
