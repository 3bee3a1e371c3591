"""The built distribution, as a stranger meets it: built from the checkout, installed where nothing else is, and run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.heavy  # builds distributions, and an environment

ROOT = Path(__file__).resolve().parents[1]

REPOSITORY = "https://code.example/team/trainlint"
"""Where the release is made, as the workflow says it to the build."""

HANGS = """\
import torch.distributed as dist


def save(rank):
    if rank == 0:
        dist.barrier()


save(dist.get_rank())
"""


def clean_environment() -> dict[str, str]:
    """The environment without what would let the installed package find the checkout, or colour its output."""
    dropped = ("PYTHON", "VIRTUAL_ENV", "FORCE_COLOR", "COVERAGE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return kept | {"NO_COLOR": "1", "TRAINLINT_REPOSITORY": REPOSITORY}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean_environment(), capture_output=True, encoding="utf-8", timeout=300, check=False
    )


def succeed(*command: str | Path, cwd: Path) -> str:
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    succeed(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("*.whl")
    return found


def files_below(folder: Path, pattern: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob(pattern)}


def test_the_wheel_carries_code_pages_knowledge_and_the_typing_marker(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    pages = {f"trainlint/_pages/{page}" for page in files_below(ROOT / "rules", "*.md")}
    modules = {f"trainlint/{module}" for module in files_below(ROOT / "trainlint", "*.py")}
    knowledge = {f"trainlint/knowledge/{table}" for table in files_below(ROOT / "trainlint" / "knowledge", "*.toml")}
    page = {f"trainlint/app/report/html_page/page.{kind}" for kind in ("css", "js")}
    others = {"trainlint/py.typed", "trainlint/config/trainlint.schema.json"}
    assert pages
    assert knowledge
    assert (pages | modules | knowledge | page | others) - names == set()


def test_the_wheel_carries_what_the_build_prepared(wheel: Path, dist: Path) -> None:
    prepared = {f"trainlint/{folder}/_prepared.py" for folder in ("knowledge", "rules", "app/engine")}
    with zipfile.ZipFile(wheel) as archive:
        assert prepared <= set(archive.namelist())
    # The wheel was built from this: it did not carry over what a developer's checkout may hold.
    (source,) = dist.glob("*.tar.gz")
    with tarfile.open(source) as archive_of_sources:
        assert not {name for name in archive_of_sources.getnames() if name.endswith("_prepared.py")}


def test_the_wheel_carries_nothing_but_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"trainlint"}


def test_the_metadata_name_the_repository_of_the_release(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    urls = dict(line.removeprefix("Project-URL: ").split(", ") for line in lines if line.startswith("Project-URL: "))
    assert set(urls) == {"Repository", "Documentation", "Rules", "Changelog", "Issues"}
    assert all(url.startswith(REPOSITORY) for url in urls.values())


def test_the_source_distribution_can_be_tested(dist: Path) -> None:
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    wanted = {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md", f"tests/{Path(__file__).name}"}
    assert wanted - names == set()


def test_the_wheel_runs_from_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True, symlinks=os.name != "nt")
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    python, trainlint = programs / "python", programs / "trainlint"
    succeed(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)

    code = tmp_path / "code"
    code.mkdir()
    (code / "bad.py").write_text(HANGS)
    (code / "good.py").write_text("print('nothing to see')\n")
    expected = (ROOT / "rules" / "distributed" / "TL101-rank-conditional-collective.md").read_text(encoding="utf-8")

    where = succeed(python, "-c", "import trainlint; print(trainlint.__file__)", cwd=code)
    assert Path(where.strip()).is_relative_to(environment)
    show = "from trainlint.pages import page_text; print(page_text('TL101'), end='')"
    shipped = succeed(python, "-X", "utf8", "-c", show, cwd=code)
    assert shipped == expected
    assert "rank-conditional-collective" in succeed(trainlint, "rule", "TL101", cwd=code)
    assert succeed(trainlint, "--version", cwd=code).strip().endswith(wheel.name.split("-")[1])

    found = run(trainlint, "check", "--output-format", "concise", "bad.py", cwd=code)
    assert (found.returncode, found.stderr) == (1, "")
    assert "bad.py:6:9: TL101" in found.stdout
    assert "bad.py:6:9" in run(trainlint, "check", "--output-format", "html", "bad.py", cwd=code).stdout
    (finding,) = json.loads(run(trainlint, "check", "--output-format", "json", "bad.py", cwd=code).stdout)
    version = wheel.name.split("-")[1]
    assert finding["url"] == f"{REPOSITORY}/tree/v{version}/rules/distributed/TL101-rank-conditional-collective.md"
    assert run(trainlint, "check", "--exit-zero", "bad.py", cwd=code).returncode == 0
    assert run(trainlint, "check", "good.py", cwd=code).returncode == 0
    assert run(trainlint, "check", "--no-such-option", cwd=code).returncode == 2
    assert run(python, "-m", "trainlint", "check", "bad.py", cwd=code).returncode == 1
