"""A library's thing by its new name, in the file and in its import."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.engine.driver import check
from trainlint.app.engine.result import FixMode
from trainlint.config import Settings


def repaired(folder: Path, text: str, *, code: str = "TL904", **others: str) -> str:
    """The file after safe repairs of a rule, in a project that asks for a PyTorch with the new names."""
    (folder / "requirements.txt").write_text("torch>=2.4\n", encoding="utf-8")
    for name, content in others.items():
        (folder / f"{name}.py").write_text(content, encoding="utf-8")
    file = folder / "train.py"
    file.write_text(text, encoding="utf-8")
    settings = Settings(root=folder, codes=frozenset({code}))
    check([folder], settings, fix=FixMode.APPLY)
    return file.read_text(encoding="utf-8")


CALLS = "\n\ndef f(x):\n    with autocast(): x()\n    return GradScaler()\n"
NEW_CALLS = '\n\ndef f(x):\n    with autocast("cuda"): x()\n    return GradScaler("cuda")\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from torch.cuda.amp import GradScaler, autocast\n", "from torch.amp import GradScaler, autocast\n"),
        (
            "from torch.cuda.amp import (\n    GradScaler,  # scales\n    autocast,\n)\n",
            "from torch.amp import (\n    GradScaler,  # scales\n    autocast,\n)\n",
        ),
        (
            "from torch.cuda.amp import GradScaler, autocast, common\n",
            "from torch.cuda.amp import common\nfrom torch.amp import GradScaler, autocast\n",
        ),
        (
            "from torch.cuda.amp import autocast as autocast, GradScaler\n",
            "from torch.amp import autocast as autocast, GradScaler\n",
        ),
    ],
)
def test_import_moves_with_its_calls(tmp_path: Path, old: str, new: str) -> None:
    assert repaired(tmp_path, old + CALLS) == new + NEW_CALLS


@pytest.mark.parametrize(
    "more",
    [
        "\nCLASSES = [autocast, GradScaler]\n",
        '\n__all__ = ["autocast", "GradScaler"]\n',
        "\ndef g(autocast, GradScaler):\n    pass\n",
    ],
)
def test_refused_where_a_name_is_used_otherwise(tmp_path: Path, more: str) -> None:
    text = "from torch.cuda.amp import GradScaler, autocast\n" + CALLS + more
    assert repaired(tmp_path, text) == text


def test_only_what_can_move_moves(tmp_path: Path) -> None:
    text = "from torch.cuda.amp import GradScaler, autocast\n" + CALLS + "\nclass Mine(GradScaler): pass\n"
    found = repaired(tmp_path, text)
    assert found.startswith("from torch.cuda.amp import GradScaler\nfrom torch.amp import autocast\n")
    assert "return GradScaler()" in found
    assert 'autocast("cuda")' in found


@pytest.mark.parametrize("taking", ["from train import autocast\nfrom train import GradScaler\n", "from train import *\n"])
def test_refused_where_another_file_takes_the_name(tmp_path: Path, taking: str) -> None:
    text = "from torch.cuda.amp import GradScaler, autocast\n" + CALLS
    assert repaired(tmp_path, text, other=taking + CALLS) == text


def test_types_do_not_count(tmp_path: Path) -> None:
    text = "from torch.cuda.amp import GradScaler\n\n\ndef f(s: GradScaler | None):\n"
    text += "    return GradScaler() if isinstance(s, GradScaler) else s\n"
    found = repaired(tmp_path, text)
    assert found.startswith("from torch.amp import GradScaler\n")
    assert 'GradScaler("cuda") if isinstance' in found


def test_attribute_chains_keep_the_library_as_it_is_called(tmp_path: Path) -> None:
    text = "import torch as th\nfrom torch import cuda\n\nS = th.cuda.amp.GradScaler()\nT = cuda.amp.GradScaler(init_scale=2.0)\n"
    assert repaired(tmp_path, text) == (
        "import torch as th\nfrom torch import cuda\n\n"
        'S = th.amp.GradScaler("cuda")\nT = th.amp.GradScaler("cuda", init_scale=2.0)\n'
    )


INIT = """\
from torch.nn.init import (
    constant,
    kaiming_normal,
    orthogonal_,
    trunc_normal_,
    xavier_uniform,
)
"""
NEW_INIT = """\
from torch.nn.init import (
    orthogonal_,
    trunc_normal_,
    constant_,
    kaiming_normal_,
    xavier_uniform_,
)
"""
USES = "\n\ndef fill(x):\n    constant(x, 0)\n    kaiming_normal(x)\n    xavier_uniform(x)\n"


def test_what_a_text_names_or_other_files_may_import_keeps_its_name(tmp_path: Path) -> None:
    by_name = INIT + USES + "\n\ndef wrapped(init):\n    return eval(init)\n"
    assert repaired(tmp_path, by_name, code="TL905") == by_name
    assert repaired(tmp_path, INIT, code="TL905") == INIT
    used = USES.replace("(x", "_(x").replace("fill_", "fill")
    assert repaired(tmp_path, INIT + USES, code="TL905") == NEW_INIT + used
