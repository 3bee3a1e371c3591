"""What a run on one clean file may import: a commit hook pays for it on every commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Each costs at least a millisecond, most of them many; what needs them imports them when it needs them.
HEAVY = {
    "asyncio",
    "concurrent.futures",
    "email",
    "http",
    "importlib.metadata",
    "json",
    "libcst",
    "multiprocessing",
    "packaging",
    "pathspec",
    "pygments",
    "rich",
    "shutil",
    "tempfile",
    "tomli",
    "tomllib",
    "traceback",
    "trainlint.authoring",
    "trainlint.app.engine.confirm",
    "trainlint.app.engine.judging",
    "trainlint.app.engine.lifetimes",
    "trainlint.app.engine.lowering",
    "trainlint.domains",
    "trainlint.flow",
    "trainlint.jobs",
    "trainlint.program",
    "trainlint.ir",
    "trainlint.rules.api",
    "trainlint.rules.data",
    "trainlint.rules.distributed",
    "trainlint.edits",
    "trainlint.spmd",
}

# Says what the command imported, after it has printed its results.
PROGRAM = """\
import sys
before = set(sys.modules)
from trainlint.app.cli.main import main
try:
    main(sys.argv[1:], prog_name="trainlint")
except SystemExit as end:
    print(*sorted(set(sys.modules) - before), sep="\\n", file=sys.stderr)
    sys.exit(end.code)
"""

CLEAN = "import os\n\n\ndef greet(name):\n    print(f'Hello {name}', os.getpid())\n"
HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of trainlint as a build leaves it: with everything prepared."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "trainlint", folder / "trainlint", ignore=shutil.ignore_patterns("__pycache__", "_prepared.py"))
    prepare(folder)
    return folder


def prepare(folder: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "trainlint.prepare"], cwd=folder, env=environment(folder), check=True, capture_output=True
    )


def environment(package: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(package)}


def heavy_imports(package: Path, tmp_path: Path, code: str, *words: str) -> set[str]:
    """Which of HEAVY a run on one file with this code imports (besides what the interpreter itself has already)."""
    folder = tmp_path / "project"
    folder.mkdir(exist_ok=True)
    (folder / "file.py").write_text(code)
    command = [sys.executable, "-c", PROGRAM, "check", "file.py", *words]
    done = subprocess.run(command, cwd=folder, env=environment(package), capture_output=True, text=True, timeout=60, check=False)
    imported = done.stderr.splitlines()
    assert done.returncode == (code == HANGS), done.stderr
    assert "trainlint.app.engine.driver" in imported, done.stderr
    return {name for name in imported if any(name == heavy or name.startswith(f"{heavy}.") for heavy in HEAVY)}


def test_a_clean_file_needs_nothing_heavy(package: Path, tmp_path: Path) -> None:
    assert heavy_imports(package, tmp_path, CLEAN) == set()


class TestTheTestCanFail:
    def test_a_finding_brings_them(self, package: Path, tmp_path: Path) -> None:
        found = heavy_imports(package, tmp_path, HANGS)
        assert {"libcst", "trainlint.edits.site", "trainlint.spmd.uniform_check", "trainlint.app.engine.confirm"} <= found

    def test_json_brings_json(self, package: Path, tmp_path: Path) -> None:
        assert "json" in heavy_imports(package, tmp_path, HANGS, "--output-format", "json")

    def test_a_package_that_is_not_prepared_reads_toml(self, package: Path, tmp_path: Path) -> None:
        copy = tmp_path / "package"
        shutil.copytree(package / "trainlint", copy / "trainlint", ignore=shutil.ignore_patterns("__pycache__"))
        assert heavy_imports(copy, tmp_path, CLEAN) == set()
        with (copy / "trainlint" / "knowledge" / "torch.toml").open("a") as tables:
            tables.write("\n# a change\n")
        assert {"tomllib", "tomli"} & heavy_imports(copy, tmp_path, CLEAN)
        prepare(copy)
        assert heavy_imports(copy, tmp_path, CLEAN) == set()
