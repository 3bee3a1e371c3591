"""What is said to be forgotten in a checkpoint, by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint import check_paths

SOURCE = """\
import torch


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    {made}
    state = torch.load("last.pt")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(epochs):
        for batch in loader:
            {step}
            optimizer.zero_grad()
        {behind}
        torch.save({{"model": model.state_dict(), "optimizer": optimizer.state_dict()}}, "last.pt")
"""
PLAIN = "loss = model(batch).mean(); loss.backward(); optimizer.step()"
SCALED = "loss = model(batch).mean(); scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()"


@pytest.mark.parametrize(
    ("made", "step", "behind", "word"),
    [
        ("thing = torch.optim.lr_scheduler.StepLR(optimizer, 10)", PLAIN, "thing.step()", "scheduler"),
        ("thing = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)", PLAIN, "thing.step(loss)", "scheduler"),
        ("scaler = torch.cuda.amp.GradScaler()", SCALED, "pass", "scaler"),
    ],
)
def test_the_thing_is_named(tmp_path: Path, made: str, step: str, behind: str, word: str) -> None:
    (tmp_path / "train.py").write_text(SOURCE.format(made=made, step=step, behind=behind), encoding="utf-8")
    (found,) = check_paths([tmp_path / "train.py"], select=["TL603"])
    assert word in found.message.splitlines()[0]
