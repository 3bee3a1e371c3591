"""Hooks of the build: the package prepares its data files before they are packed, and learns where it was released.

``trainlint.prepare``, when there is such a module, has a function ``write`` that writes the prepared files and returns
their paths. It runs with nothing installed but the build backend, so it may import only the standard library and
``tomli`` (which hatchling brings along where ``tomllib`` is missing).

The release says in ``TRAINLINT_REPOSITORY`` where it was made (``https://HOST/OWNER/NAME``): the project's addresses follow
from that, and the addresses of the rules' pages in what trainlint prints. Other builds have none.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class PrepareHook(BuildHookInterface):  # type: ignore[type-arg]  # its parameter differs between hatchling's versions
    """Calls ``trainlint.prepare.write()`` and adds what it wrote to the wheel, even where version control ignores it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before files are collected; ``version`` is "standard" or "editable"."""
        del version
        root = Path(self.root)
        if not (root / "trainlint" / "prepare.py").is_file():
            return
        sys.path.insert(0, str(root))
        try:
            written = importlib.import_module("trainlint.prepare").write()
        finally:
            sys.path.remove(str(root))
        # Artifacts are patterns in the manner of .gitignore: a leading slash means the project's root.
        build_data["artifacts"] += ["/" + Path(path).resolve().relative_to(root.resolve()).as_posix() for path in written or ()]


class AddressHook(MetadataHookInterface):
    """The addresses of the repository that makes the release."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with the project's table; what is dynamic there is to be filled in."""
        repository = os.environ.get("TRAINLINT_REPOSITORY", "").rstrip("/")
        version = metadata["version"]
        metadata["urls"] = (
            {
                "Repository": repository,
                "Documentation": f"{repository}/tree/v{version}/docs",
                "Rules": f"{repository}/tree/v{version}/rules",
                "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
            if repository
            else {}
        )
