"""Environments of their own in which packages are installed as an editable install leaves them, without a package index."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]


def rule(find: str = "    yield from ()\n", imports: str = "") -> str:
    """The module of a rule YY001 ``some-name``."""
    return f"""\
{imports}from trainlint.authoring import Level, Rule

RULE = Rule(
    code="YY001", name="some-name", summary="s", level=Level.WARNING, certainty="flow", fix="none",
    needs=("collective",), since="1.0",
)


@RULE.find
def find(program):
{find}"""


class Environment:
    """A virtual environment with this checkout in it; what the checkout depends on comes from the tests' own environment."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=os.name != "nt")
        self.python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.packages = Path(self.run("-c", "import site; print(site.getsitepackages()[-1])", cwd=folder).stdout.strip())
        assert self.packages.is_relative_to(folder)
        self.install(ROOT)
        # Behind the checkout: an older trainlint may be installed there.
        shared = {sysconfig.get_paths()[kind] for kind in ("purelib", "platlib")}
        (self.packages / "zz_shared.pth").write_text("".join(f"{path}\n" for path in sorted(shared)), encoding="utf-8")

    def install(self, project: Path) -> Path:
        """Install the package of a folder with a ``pyproject.toml``; returned is the folder with its metadata."""
        declared = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        points = {"console_scripts": declared.get("scripts", {}), **declared.get("entry-points", {})}
        name, version = declared["name"], declared.get("version", "0.1.0")
        self.packages.joinpath(f"{name.replace('-', '_')}.pth").write_text(f"{project}\n", encoding="utf-8")
        lines = [f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()) for group, keys in points.items()]
        return self.register(name, version, "\n".join(lines), declared["description"])

    def register(self, name: str, version: str, entry_points: str, summary: str = "a package") -> Path:
        """Write the metadata of a package that is already there."""
        folder = self.packages / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: {summary}\n"
        (folder / "METADATA").write_text(metadata, encoding="utf-8")
        (folder / "entry_points.txt").write_text(entry_points, encoding="utf-8")
        return folder

    def add_rules(self, name: str = "yy_rules", entry: str = "YY = yy_rules", **files: str) -> Path:
        """Make and install a package of rules, of these modules besides the one of :func:`rule`; returned is its folder."""
        folder = self.packages / name
        folder.mkdir()
        for file, text in {"__init__": "", "yy001_some_name": rule(), **files}.items():
            (folder / f"{file}.py").write_text(text, encoding="utf-8")
        (folder / "pages").mkdir()
        (folder / "pages" / "YY001-some-name.md").write_text("# some-name (YY001)\n", encoding="utf-8")
        self.register(name.replace("_", "-"), "1.0", f"[trainlint.rules]\n{entry}\n")
        return folder

    def run(self, *words: str, cwd: Path, given: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """Run this environment's Python with nothing of ours in its variables but ``more``."""
        dropped = ("PYTHON", "VIRTUAL_ENV", "FORCE_COLOR", "COVERAGE", "GITHUB_")
        variables = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        variables |= {"NO_COLOR": "1", "XDG_CACHE_HOME": str(self.python.parent.parent / "caches"), **more}
        return subprocess.run(
            [self.python, *words],
            cwd=cwd,
            env=variables,
            capture_output=True,
            encoding="utf-8",
            input=given,
            check=False,
            timeout=300,
        )
