"""TL905 and TL911: the tables of old and private names, looked up and called in the PyTorch that the witnesses run on."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest

from trainlint.knowledge import load_knowledge

TABLE = load_knowledge().old_names
PRIVATE = load_knowledge().private
THERE = sorted(name for name, row in TABLE.items() if not row[1])
GONE = sorted(name for name, row in TABLE.items() if row[1] and row[3] != "call")


def found(dotted: str) -> Any:
    """What a dotted name stands for. Raises AttributeError or ImportError where there is nothing."""
    parts = dotted.split(".")
    thing: Any = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            thing = getattr(thing, part) if hasattr(thing, part) else importlib.import_module(".".join(parts[:index]))
    return thing


@pytest.mark.witness
@pytest.mark.parametrize("name", THERE)
def test_what_is_deprecated_is_there_and_so_is_what_takes_its_place(name: str) -> None:
    found(name)
    assert callable(found(TABLE[name][2]))


@pytest.mark.witness
@pytest.mark.parametrize("name", GONE)
def test_what_is_gone_is_gone(name: str) -> None:
    import torch

    try:
        thing = found(name)
    except (AttributeError, ImportError):
        return
    with pytest.raises(RuntimeError, match="is now removed"):  # a function that says so
        thing(torch.eye(2), torch.eye(2))


@pytest.mark.witness
@pytest.mark.parametrize("name", sorted(PRIVATE))
def test_private_and_public_name_lead_to_one_object(name: str) -> None:
    assert found(name) is found(PRIVATE[name][0])


@pytest.mark.witness
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("torch.range(0, 10, 3)", "torch.arange(0, 12, 3, dtype=torch.get_default_dtype())"),
        ("torch.range(1, 4)", "torch.arange(1, 5, dtype=torch.get_default_dtype())"),
        ("torch.chain_matmul(a, b, a)", "torch.linalg.multi_dot([a, b, a])"),
        ("torch.cholesky(s)", "torch.linalg.cholesky(s)"),
        ("torch.cholesky(s, upper=True)", "torch.linalg.cholesky(s).mH"),
        ("torch.qr(a)[0]", "torch.linalg.qr(a)[0]"),
        ("torch.qr(a[:, :1], some=False)[0]", 'torch.linalg.qr(a[:, :1], mode="complete")[0]'),
        ("torch.meshgrid(v, v)[0]", 'torch.meshgrid(v, v, indexing="ij")[0]'),
        ("torch.nn.MSELoss(size_average=False)(a, b)", 'torch.nn.MSELoss(reduction="sum")(a, b)'),
        (
            "torch.nn.functional.upsample(a[None, None], scale_factor=2)",
            "torch.nn.functional.interpolate(a[None, None], scale_factor=2)",
        ),
    ],
)
def test_the_old_warns_and_the_new_computes_the_same(old: str, new: str) -> None:
    import torch

    torch.manual_seed(0)
    torch.set_warn_always(True)
    a, b, v = torch.randn(3, 3), torch.randn(3, 3), torch.arange(3)
    names = {"torch": torch, "a": a, "b": b, "v": v, "s": a @ a.T + torch.eye(3)}
    with pytest.warns(UserWarning, match="deprecat|indexing"):
        before = eval(old, names)  # noqa: S307 - written above
    after = eval(new, names)  # noqa: S307
    assert before.dtype == after.dtype
    assert torch.equal(before, after)
    torch.set_warn_always(False)


@pytest.mark.witness
@pytest.mark.parametrize(
    "old",
    [
        "torch.norm(a)",
        "torch.svd(a)",
        "torch.ger(v, v)",
        "torch.nn.UpsamplingNearest2d(scale_factor=2)(a[None, None])",
        "torch.nn.UpsamplingBilinear2d(scale_factor=2)(a[None, None])",
    ],
)
def test_what_only_the_documentation_calls_deprecated_does_not_warn(old: str) -> None:
    import torch

    assert old.partition("(")[0] in load_knowledge().quietly_old
    torch.set_warn_always(True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eval(old, {"torch": torch, "a": torch.randn(3, 3), "v": torch.randn(3)})  # noqa: S307 - written above
    torch.set_warn_always(False)
