"""The programs in ``programs/ranks``: a wrong one, ``NAME.py`` or a folder with ``main.py``, and ``NAME_good``, the right one.

``# stuck: 0`` in a wrong program stands on the line at which rank 0 waits for the others until its timeout; ``# expect: …``
stands where trainlint reports, as everywhere. The right one may be missing where trainlint repairs the wrong one.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import fixes
from tests.expectations import copy_alone
from tests.witness.running import HERE, PROGRAMS
from trainlint import check_paths
from trainlint.app.dev import expectations
from trainlint.codes import DEFAULT
from trainlint.finding import Finding
from trainlint.rules import registry

RANKS = 2
AT_ONCE = 8  # jobs side by side; nearly all of them only wait
WAIT, LONG = 5, 60  # seconds, timeouts of the process group: where a rank is to wait in vain, and where none is
SECONDS = 600
FOLDER = PROGRAMS / "ranks"
STUCK = re.compile(r"# stuck: (\d(?:, \d)*)\s*$")

Job = list[dict[str, Any]]
"""How each rank of a job ended; ``observers/jobs.py`` says how."""


def names() -> list[str]:
    """The wrong programs."""
    found = {each.stem for each in FOLDER.iterdir() if each.suffix == ".py" or (each / "main.py").is_file()}
    return sorted(each for each in found if not each.endswith("_good"))


def wrong(name: str) -> Path:
    """The file or folder of a wrong program."""
    file = FOLDER / f"{name}.py"
    return file if file.is_file() else FOLDER / name


def right(name: str) -> Path | None:
    """The file or folder of its right version, if one was written."""
    path = wrong(f"{name}_good")
    return path if path.exists() else None


def files(root: Path) -> list[Path]:
    """The files of a program."""
    return [root] if root.is_file() else sorted(root.glob("*.py"))


def stuck(root: Path) -> dict[int, tuple[str, int]]:
    """Where each waiting rank waits: the name of the file and the line, from 1."""
    found = {}
    for file in files(root):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = STUCK.search(line)
            for rank in match[1].split(", ") if match else ():
                assert int(rank) not in found, f"{root}: rank {rank} cannot wait in two places"
                found[int(rank)] = (file.name, number)
    return found


def expected(name: str) -> set[str]:
    """The codes that a wrong program names."""
    return {each.code for each in expectations.read_project(wrong(name))}


def judged(name: str) -> bool:
    """Whether all rules that a program is about exist."""
    return expected(name) <= set(registry.built())


def findings(root: Path, folder: Path) -> list[Finding]:
    """What trainlint reports of a program; ``folder`` is for a copy, without the neighbours that would be read as well."""
    return check_paths([copy_alone(root, folder)], select=sorted({*DEFAULT, "TL103"}))


def repairable(name: str, folder: Path) -> bool:
    """Whether trainlint offers to repair all that is expected of a program; ``folder`` is as for :func:`findings`."""
    found = findings(wrong(name), folder) if judged(name) else []
    return bool(found) and len(fixes.repairable(found)) == len(found)


def repaired(name: str, folder: Path) -> Path:
    """A program as trainlint's own command repairs it; ``folder`` is empty."""
    root = folder / name if wrong(name).is_dir() else folder
    root.mkdir(exist_ok=True)
    for file in files(wrong(name)):
        (root / file.name).write_text(expectations.without(file.read_text(encoding="utf-8")), encoding="utf-8")
    for code in sorted(expected(name)):
        status = fixes.repair(folder, code)
        assert status == 0, f"{code} is left in {root}, or the repair failed (exit code {status})"
    return root if wrong(name).is_dir() else root / wrong(name).name


def run(programs: dict[str, tuple[Path, float]], folder: Path, ranks: int = RANKS) -> dict[str, Job]:
    """Run programs, each with the timeout of its process group in seconds; how each rank of each ended."""
    jobs = []
    for key, (root, seconds) in programs.items():
        place = folder / key
        place.mkdir(parents=True)
        main = root if root.is_file() else root / "main.py"
        jobs.append({"program": str(main), "folder": str(place), "seconds": seconds})
    process = subprocess.run(
        [sys.executable, "-B", HERE / "observers" / "jobs.py", str(ranks), str(AT_ONCE)],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    shutil.rmtree(folder)
    return dict(zip(programs, json.loads(process.stdout.splitlines()[-1]), strict=True))
