"""What a strange repository may try: to be executed, to have other files read or written, to keep the run for ever."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import click.testing
import pytest

from tests.bad_input.running import OTHER_CODE
from trainlint import check_paths
from trainlint.app.cli.main import main
from trainlint.config.settings import FORMATS

ROOT = Path(__file__).resolve().parents[2]
LINKS = pytest.mark.skipif(os.name == "nt", reason="links and such names cannot be had there")

#: Modules that trainlint imports at some time; each would leave a file behind if it were. (What `python -m` itself imports
#: before it comes to us, as `warnings`, is not in our hands.)
SHADOWS = [
    "sitecustomize",
    "usercustomize",
    "conftest",
    "click",
    "re",
    "json",
    "tomllib",
    "tomli",
    "libcst",
    "pathspec",
    "rich",
    "packaging",
    "ast",
    "typing",
    "dataclasses",
    "tempfile",
    "traceback",
    "difflib",
    "textwrap",
    "fnmatch",
    "hashlib",
    "pickle",
    "concurrent",
    "torch",
    "jax",
    "tensorflow",
    "numpy",
    "setup",
]


def run(folder: Path, *words: str, **environment: str) -> click.testing.Result:
    done = click.testing.CliRunner().invoke(main, ["check", *words, str(folder)], prog_name="trainlint", env=environment)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


# -- nothing is executed ------------------------------------------------------------------------------------------------


def trapped(folder: Path) -> Path:
    """A repository in which whatever is imported, executed or unpickled leaves a file in ``sprung``."""
    sprung = folder / "sprung"
    sprung.mkdir()

    def spring(name: str) -> str:
        return f"open({str(sprung / name)!r}, 'w').close()\n"

    class Loaded:
        def __reduce__(self) -> tuple[object, tuple[str, str]]:
            return open, (str(sprung / "pickle"), "w")

    (folder / "train.py").write_text(OTHER_CODE + "import click, json, mylib\n" + spring("train"))
    for name in SHADOWS:
        (folder / f"{name}.py").write_text(spring(name))
    (folder / "mylib").mkdir()
    (folder / "mylib" / "__init__.py").write_text(spring("mylib"))
    (folder / "evil.pth").write_text("import os; " + spring("pth"))
    for name in ("data.pkl", "model.pt", ".trainlint_cache"):
        (folder / name).write_bytes(pickle.dumps(Loaded()))
    (folder / "evil-1.dist-info").mkdir()
    (folder / "evil-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    (folder / "evil-1.dist-info" / "entry_points.txt").write_text("[trainlint.rules]\nEV = mylib\n")
    (folder / "pyproject.toml").write_text(
        '[build-system]\nbuild-backend = "setup"\n[project.entry-points."trainlint.rules"]\nEV = "mylib"\n[tool.trainlint]\n'
    )
    return sprung


@pytest.mark.parametrize(
    "start",
    [
        ("-m", "trainlint"),
        ("-P", "-m", "trainlint") if sys.version_info >= (3, 11) else ("-I", "-m", "trainlint"),
        ("-c", "import sys; from trainlint.app.cli.main import main; sys.path.pop(0); main()"),
    ],
    ids=["module", "safe path", "command"],
)
def test_nothing_in_the_repository_is_executed(tmp_path: Path, start: tuple[str, ...]) -> None:
    sprung = trapped(tmp_path)
    if "-c" in start:
        for name in SHADOWS:  # before the first line of the program, an interpreter with -c imports from the working folder
            (tmp_path / f"{name}.py").unlink()
    # Where trainlint is, without PYTHONPATH and without an installation: as a folder for packages has it.
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TRAINLINT_CACHE_DIR": str(tmp_path / "c"),
    }
    words = [
        "check",
        "--select",
        "ALL",
        "--preview",
        "--fix",
        "--unsafe-fixes",
        "--output-format",
        "json",
        "--exit-zero",
        "train.py",
    ]
    done = subprocess.run(
        [sys.executable, *start, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in sprung.iterdir()) == []
    assert (tmp_path / "train.py").read_text() != OTHER_CODE  # the run was a whole one


def test_the_traps_work(tmp_path: Path) -> None:
    sprung = trapped(tmp_path)
    subprocess.run([sys.executable, "-c", "import click, mylib"], cwd=tmp_path, check=True)
    pickle.loads((tmp_path / "data.pkl").read_bytes()).close()  # noqa: S301 - ours
    assert {"click", "mylib", "pickle"} <= {path.name for path in sprung.iterdir()}


# -- no way out of the root ---------------------------------------------------------------------------------------------


@LINKS
def test_a_link_that_leads_out_is_neither_shown_nor_repaired(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "other.py").write_text(OTHER_CODE)
    (tmp_path / "secret.txt").write_text("token = swordfish (\nimport torch")
    (project / "a.py").symlink_to(tmp_path / "other.py")
    (project / "b.py").symlink_to("../secret.txt")
    (project / "c").symlink_to(tmp_path)
    (project / "zz.py").write_text(OTHER_CODE)
    (project / "inside.py").symlink_to("zz2.txt")
    (project / "zz2.txt").write_text(OTHER_CODE)
    done = run(project, "--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--show-fixes")
    assert done.exit_code == 0, done.output
    assert "swordfish" not in done.output
    assert (tmp_path / "other.py").read_text() == OTHER_CODE
    assert (project / "zz.py").read_text() != OTHER_CODE
    assert (project / "zz2.txt").read_text() != OTHER_CODE


@LINKS
def test_a_link_to_elsewhere_in_the_project_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "a.txt").write_text(OTHER_CODE)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").symlink_to("../shared/a.txt")
    done = run(Path("src"), "--isolated", "--no-cache", "--output-format", "concise")
    assert "src/a.py:6:9: TL101" in done.stdout


@pytest.mark.parametrize("name", ["../known.json", "{absolute}", "link.json"])
def test_a_baseline_of_the_configuration_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "train.py").write_text(OTHER_CODE)
    outside = tmp_path / "known.json"
    outside.write_text(json.dumps({"version": 1, "files": {}}))
    if name == "link.json":
        if os.name == "nt":
            pytest.skip("links cannot be had there")
        (project / name).symlink_to(outside)
    named = name.format(absolute=outside)
    (project / "trainlint.toml").write_text(f"baseline = {json.dumps(named)}\n")
    before = outside.read_bytes()
    done = run(project, "--no-cache", "--prune-baseline")
    assert done.exit_code == 2
    assert "the configuration names a baseline outside of its folder" in done.stderr
    assert outside.read_bytes() == before
    (project / "trainlint.toml").unlink()
    assert run(project, "--no-cache", "--baseline", str(outside)).exit_code == 1  # a user may name what he likes


def test_globs_and_roots_of_the_configuration_lead_nowhere(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "train.py").write_text(OTHER_CODE)
    (tmp_path / "other.py").write_text(OTHER_CODE)
    (project / "trainlint.toml").write_text(
        'src = ["..", "/", "../.."]\nexclude = ["../x"]\n[per-file-ignores]\n"../../*" = ["ALL"]\n"/../*" = ["ALL"]\n'
    )
    done = run(project, "--no-cache", "--output-format", "json")
    assert {Path(found["filename"]).name for found in json.loads(done.stdout)} == {"train.py"}


@LINKS
def test_uris_lead_to_where_the_files_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["..%2f..%2fx.py", "a?b#c.py", "file:x.py", "%00.py", os.fsdecode(b"\xff.py")]
    for name in names:
        try:
            (tmp_path / name).write_text(OTHER_CODE)
        except OSError:
            pytest.skip("the file system wants names to be text")
    done = run(Path(), "--isolated", "--no-cache", "--output-format", "sarif")
    (made,) = json.loads(done.stdout)["runs"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in made["results"]]
    assert len(places) == len(names)
    for place in places:
        assert set(place["uri"]) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%._-~")
        assert place["uriBaseId"] in made["originalUriBaseIds"]
    assert made["originalUriBaseIds"][places[0]["uriBaseId"]]["uri"] == tmp_path.as_uri() + "/"


# -- nothing that never ends --------------------------------------------------------------------------------------------

ENDLESS = (
    ".gitignore",
    "requirements.txt",
    "pyproject.toml",
    "setup.cfg",
    "environment.yml",
    "trainlint.toml",
    "run.sh",
    "known.json",
)


@LINKS
@pytest.mark.parametrize("trap", ["pipe", "zeros"])
def test_files_that_never_end_are_not_read(tmp_path: Path, trap: str) -> None:
    for name in (*ENDLESS, "x.py", "x.ipynb"):
        os.mkfifo(tmp_path / name) if trap == "pipe" else (tmp_path / name).symlink_to("/dev/zero")
    (tmp_path / "train.py").write_text(OTHER_CODE + "import torch\ntorch.load('x')\nimport os\nos.environ['NCCL_DEBUG']\n")
    command = [
        sys.executable,
        "-m",
        "trainlint",
        "check",
        "--select",
        "ALL",
        "--preview",
        "--no-cache",
        "--output-format",
        "concise",
        ".",
    ]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "train.py:6:9: TL101" in done.stdout
    command[-1:] = ["--baseline", "known.json", "train.py"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, "known.json" in done.stderr) == (2, True)


FIT = """\
import torch
from parts import build, data

model = build()
loader = torch.utils.data.DataLoader(data(), batch_size=4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for inputs in loader:
        optimizer.zero_grad()
        model(inputs).backward()
        optimizer.step()
"""


def mutual(count: int) -> str:
    """Functions each of which calls two others, in circles."""
    text = "def f{0}(x):\n    if x:\n        return f{1}(x - 1)\n    dist.barrier()\n    return f{2}(x)\n"
    return "".join(text.format(i, (i * 7 + 1) % count, (i + 1) % count) for i in range(count))


def complete(count: int) -> str:
    """Functions each of which calls all."""
    calls = "".join(f"    f{j}(x)\n" for j in range(count))
    return "".join(f"def f{i}(x):\n{calls}    dist.barrier()\n" for i in range(count))


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(mutual(150), id="mutual recursion"),
        pytest.param(complete(40), id="everything calls everything", marks=pytest.mark.heavy),
    ],
)
def test_functions_that_call_one_another_in_too_many_ways(tmp_path: Path, code: str) -> None:
    text = f"import torch.distributed as dist\n{code}f0(dist.get_rank())\n"
    (tmp_path / "many.py").write_text(text)
    started = time.process_time()
    done = run(tmp_path, "--isolated", "--no-cache", "--output-format", "json")
    assert time.process_time() - started < 20
    messages = [one["message"] for one in json.loads(done.stdout) if one["code"] == "TL004"]
    assert any("and other functions of the file were not checked for collectives that only some" in one for one in messages)


def test_files_that_all_take_everything_from_one_another(tmp_path: Path) -> None:
    """A name that none of them has is looked for in each of them once, not along every way from one to the next."""
    package = tmp_path / "parts"
    package.mkdir()
    names = [f"part{number}" for number in range(16)]
    for name in ("__init__", *names):
        stars = "".join(f"from .{other} import *\n" for other in names if other != name)
        (package / f"{name}.py").write_text(
            f"{stars}from .absent import *\n\n\ndef of_{name}(batch):\n    return missing(batch)\n"
        )
    (tmp_path / "train.py").write_text(f"from parts import build\n{OTHER_CODE}build().step(nothing)\n")
    (tmp_path / "fit.py").write_text(FIT)
    for words in (["check", "--isolated", "--no-cache", "--select", "ALL"], ["preflight"]):
        started = time.process_time()
        done = click.testing.CliRunner().invoke(main, [*words, str(tmp_path)], prog_name="trainlint")
        assert done.exit_code == 1, done.output
        assert time.process_time() - started < 10


# -- nothing that a terminal, or a build server, takes for its own ------------------------------------------------------

NAME = "::error::x\x1b]0;t\x07\x1b[2J%0A\u202e\r##vso[task.x]y.py"
CODE = OTHER_CODE.replace(
    "import torch", "# ##[add-path]/  \x1b[31m\u202e ##vso[task.setvariable variable=x]y\nimport torch"
).replace("        dist.barrier()", "        dist.barrier()  # ##vso[task.x]y \x1b]8;;http://x\x07 \u2066")


@LINKS
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", ["plain", "diff"])
def test_no_format_lets_a_stranger_speak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, how: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(CODE, encoding="utf-8", newline="")
    words = ["--isolated", "--no-cache", "--output-format", form]
    more = ["--diff", "--unsafe-fixes"] if how == "diff" else []
    done = run(Path(), *words, *more, GITHUB_ACTIONS="true", TF_BUILD="True", COLUMNS="90")
    assert done.exit_code == 1
    spoken(done.stdout, "diff" if how == "diff" else form)
    spoken(done.stderr, "")


def spoken(text: str, form: str) -> None:
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::") or form == "github" or line.lstrip().startswith(":::"), line
        assert "##[" not in line, line
        # Azure takes the first for the command, which is ours, and what follows for its text.
        assert "##vso[" not in line or form == "github" or (form == "azure" and line.startswith("##vso[task.logissue ")), line
        # A diff is for `patch`: only what would be a command is changed in it, on a terminal (not here) everything.
        assert form == "diff" or not set(line) & set("\x1b\x07\r\u202e\u2066"), line


def test_settings_and_mistakes_in_them_say_nothing_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(OTHER_CODE)
    hostile = "\\n::error::x\\r##vso[task.x]y\\u001b[2J\\u202e"  # fmt: skip
    (tmp_path / "trainlint.toml").write_text(f'exclude = ["{hostile}"]\nsrc = ["{hostile}"]\n', encoding="utf-8")
    shown = run(tmp_path, "--show-settings")
    assert shown.exit_code == 0
    spoken(shown.stdout, "settings")
    texts = [f'"{hostile}" = 1', f'select = ["{hostile}"]', f'output-format = "{hostile}"', f'[levels]\n"{hostile}" = "x"',
             f'[per-file-ignores]\n"{hostile}" = ["x"]', f'[knowledge]\n"{hostile}" = 1', f'baseline = "{hostile}"']  # fmt: skip
    for text in texts:
        (tmp_path / "trainlint.toml").write_text(text, encoding="utf-8")
        done = run(tmp_path)
        assert done.exit_code == 2, text
        spoken(done.stderr, "mistakes")


TEXTS = """\
import os
import time

import jax
import tensorflow as tf
import torch
import torch.distributed as dist


def main(model, loader, optimizer):
    dist.init_process_group("nccl")
    name = f"{{dist.get_rank()}}"
{more}
    started = time.time()
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        print(name, loss, f"{{name}} {{time.time() - started}}")
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), name)
            open(name, "w").write(name)
        if name == "a" or os.path.exists(f"{{name}}/done"):
            dist.barrier()
    torch.load(name)


@jax.jit
def first(state, name):
{more}
    print(name)
    return state


@tf.function
def second(state, name):
{more}
    print(name)
    return state


@torch.compile
def third(state, name):
{more}
    print(name)
    return state
"""


@pytest.mark.parametrize("again", ["{name}{name}", "{(name, name)}", "{name.lower()}{name!r:>8}"])
def test_texts_that_hold_one_another_twice(tmp_path: Path, again: str) -> None:
    more = "\n".join(f'    name = f"{again}"' for _ in range(40))
    (tmp_path / "train.py").write_text(TEXTS.format(more=more))
    started = time.process_time()
    found = check_paths([tmp_path], select=["ALL"])
    assert time.process_time() - started < 20
    assert "TL560" in {finding.code for finding in found}
