"""Which files are parsed: all that imports connect with one in which something may be found, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import expectations
from trainlint.app.engine import driver
from trainlint.config import Overrides, find_settings
from trainlint.finding import Finding
from trainlint.source.triage import Telling

Files = dict[str, str]

SAMPLES = sorted(each for each in (Path(__file__).parent.parent / "sample_repos").iterdir() if each.is_dir())

TOP = "import torch.distributed as dist\n\n\n"
SYNC = TOP + "def sync():\n    dist.barrier()\n"
LEADER = "import os\n\n\ndef leader():\n    return int(os.environ['RANK']) == 0\n"


def run(root: Path, files: Files, select: str | None = None) -> tuple[list[str], int]:
    """Which lines are reported, and how many files were parsed."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    flags = {} if select is None else {"select": [select], "preview": True}
    result = driver.check([root], find_settings(root, Overrides(flags=flags), isolated=True))
    lines = [f"{f.path.relative_to(root).as_posix()}:{f.span.line} {f.code}" for f in result.findings]
    return lines, result.statistics["files parsed"]


@pytest.mark.parametrize("select", [None, "TL101", "TL110", "ALL"])
def test_a_collective_four_files_below_the_rank_test_is_reached(tmp_path, select):
    files = {
        "train.py": "from a import one\nfrom who import leader\n\n\ndef main():\n    if leader():\n        one()\n",
        "a.py": "from b import two\n\n\ndef one():\n    two()\n",
        "b.py": "from c import three\n\n\ndef two():\n    three()\n",
        "c.py": "from sync import sync\n\n\ndef three():\n    sync()\n",
        "sync.py": SYNC,
        "who.py": LEADER,
    }
    lines, parsed = run(tmp_path, files, select)
    assert (len(lines), parsed) == (1 if select != "TL110" else 0, 6), lines  # whatever rules are on, the same files are parsed


@pytest.mark.parametrize(
    ("imported", "called"),
    [
        ("from pkg.deep.sync import sync", "sync()"),
        ("from pkg.deep import sync", "sync.sync()"),
        ("import pkg.deep.sync", "pkg.deep.sync.sync()"),
        ("import pkg as p", "p.deep.sync.sync()"),
        ("import pkg.deep.sync as s", "s.sync()"),
        ("from pkg.deep.sync import *", "sync()"),
        ("from pkg.deep.sync import (  # (all)\n    sync,\n)", "sync()"),
        ("from pkg.deep.sync \\\n    import sync", "sync()"),
        ("from pkg.handed import *", "sync()"),
        ("from pkg import handed", "handed.sync()"),
        ("try:\n    from pkg.deep.sync import sync\nexcept ImportError: from pkg.handed import sync", "sync()"),
    ],
)
def test_every_way_to_import_it(tmp_path, imported, called):
    files = {
        "train.py": f"{imported}\nfrom who import leader\n\n\ndef main():\n    if leader():\n        {called}\n",
        "pkg/__init__.py": "from . import deep\nfrom .deep import sync as _sync\n",
        "pkg/handed.py": "from .deep.sync import *\n",
        "pkg/deep/__init__.py": "from . import sync\n",
        "pkg/deep/sync.py": SYNC,
        "who.py": LEADER,
    }
    lines, _ = run(tmp_path, files)
    assert len(lines) == 1, lines


def test_a_method_of_an_object_that_is_handed_in(tmp_path):
    files = {
        "train.py": "from loop import finish\nfrom engine import Engine\n\nfinish(Engine())\n",
        "loop.py": "from who import leader\n\n\ndef finish(engine):\n    if leader():\n        engine.meet_up()\n",
        "engine.py": TOP + "class Engine:\n    def meet_up(self):\n        dist.barrier()\n",
        "who.py": LEADER,
    }
    lines, _ = run(tmp_path, files)
    assert len(lines) == 1, lines


@pytest.mark.parametrize("comment", ["", "  # trainlint: ignore[TL999]"])
def test_a_comment_for_us_changes_nothing_else(tmp_path, comment):
    """What tells of the rank is handed on under another name."""
    files = {
        "pkg/__init__.py": "from . import comm\nfrom .comm import is_lead\n",
        "pkg/comm/__init__.py": "from .who import leader as is_lead\nfrom .sync import *\n",
        "pkg/comm/who.py": LEADER,
        "pkg/comm/sync.py": SYNC.replace("sync()", "meet()"),
        "train.py": f"import pkg\n\n\ndef main():\n    if pkg.is_lead():\n        pkg.comm.meet()\n\n\nx = 1{comment}\n",
    }
    lines, parsed = run(tmp_path, files)
    assert ([line for line in lines if "TL1" in line], parsed) == (["train.py:6 TL101"], 5)


@pytest.mark.parametrize("select", ["TL303", "ALL"])
def test_a_caller_that_turns_gradients_off_is_seen_whatever_is_asked(tmp_path, select):
    """`run.py` has no word of an evaluation, `model.py` none of gradient mode, `tools.py` none at all."""
    files = {
        "model.py": (
            "def score(model, loader):\n    model.eval()\n    total = 0\n    for batch in loader:\n"
            "        total += model(batch).sum().item()\n    return total\n"
        ),
        "tools.py": "from model import score\n\n\ndef through(model, loader):\n    return score(model, loader)\n",
        "run.py": (
            "import torch\nfrom tools import through\n\n\ndef main(model, loader):\n"
            "    with torch.no_grad():\n        print(through(model, loader))\n"
        ),
    }
    assert run(tmp_path, files, select) == ([], 3)
    files["run.py"] = files["run.py"].replace("torch.no_grad()", "open('log')")
    lines, parsed = run(tmp_path, files, select)
    assert (lines, parsed) == (["model.py:5 TL303"], 3)


def test_helpers_without_any_word_hand_values_on(tmp_path):
    files = {
        "util.py": "def same(value):\n    return value\n",
        "pack/__init__.py": "from .inner import same\n",
        "pack/inner.py": "from util import same\n",
        "train.py": (
            "import torch\nfrom torch.utils.data import RandomSampler\nfrom pack import same\n\n\ndef main(data):\n"
            "    return torch.utils.data.DataLoader(data, sampler=RandomSampler(data), shuffle=same(True))\n"
        ),
    }
    lines, parsed = run(tmp_path, files, "TL203")
    assert (lines, parsed) == (["train.py:7 TL203"], 4)


def test_names_of_jax_that_a_package_only_hands_on(tmp_path):
    files = {
        "lib/__init__.py": "from .core import random\n",
        "lib/core.py": "from jax import random\n",
        "draw.py": (
            "from lib import random\n\n\ndef draw(seed):\n    key = random.PRNGKey(seed)\n"
            "    return random.normal(key, (2,)) + random.uniform(key, (2,))\n"
        ),
    }
    lines, parsed = run(tmp_path, files, "TL523")
    assert (lines, parsed) == (["draw.py:6 TL523"], 3)


def test_files_that_nothing_connects_with_a_telling_one_are_not_parsed(tmp_path):
    files = {
        "sync.py": SYNC,
        "job.py": "from sync import sync\n\n\ndef job():\n    sync()\n",
        "web/app.py": "from web import pages\n\n\ndef app():\n    return pages.index()\n",
        "web/pages.py": "def index():\n    return 'hello'\n",
    }
    assert run(tmp_path, files) == ([], 2)


def test_common_words_count_beside_their_library_only(tmp_path):
    files = {
        "image.py": "def store(image, path):\n    image.save(path)\n\n\ndef pick(x, i):\n    return x.gather(1, i)\n",
        "prose.py": "'''Broadcast rules: gather, then reduce.'''\n",
    }
    assert run(tmp_path, files) == ([], 0)
    files["tpu.py"] = "import torch_xla.core.xla_model as xm\n\n\ndef store(state, path):\n    xm.save(state, path)\n"
    assert run(tmp_path, files) == ([], 1)


def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be one in which something may be found."""
    monkeypatch.setattr(Telling, "tells", lambda _self, _words: True)


def spots(found: list[Finding]) -> set[tuple[str, int, int, str]]:
    """What is reported, without the lines of which the expectation says that they are not found yet."""
    reported = [(finding, finding.path.read_text().splitlines()[finding.span.line - 1]) for finding in found]
    return {(f.code, f.span.line, f.span.column, f.message) for f, line in reported if "expect-not-yet" not in line}


@pytest.mark.parametrize(
    "project",
    [
        pytest.param(project, id=expectations.case_id(project), marks=() if number % 3 == 0 else (pytest.mark.heavy,))
        for number, project in enumerate(each for each in expectations.projects() if each.is_dir())
    ],
)
def test_parsing_everything_finds_nothing_else(project, tmp_path, monkeypatch):
    root = expectations.copy_alone(project, tmp_path)
    few = spots(expectations.analyse(root, project.parent.name))
    everything(monkeypatch)
    assert spots(expectations.analyse(root, project.parent.name)) == few


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_parsing_everything_finds_nothing_else_in_samples(sample, tmp_path, monkeypatch):
    root = expectations.copy_alone(sample, tmp_path)
    few = spots(expectations.placed([root]))
    everything(monkeypatch)
    assert spots(expectations.placed([root])) == few
