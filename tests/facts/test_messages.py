"""What messages say that hangs on how something is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint import check_paths

STEP = """\
import torch


def train(model, loader, optimizer, device):
    for batch in loader:
        optimizer.zero_grad()
        with {autocast}:
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("autocast", "first", "scaler"),
    [
        ('torch.autocast("cuda", dtype=torch.float16)', "trains in float16 without", 'GradScaler("cuda")'),
        ('torch.autocast("cuda")', "trains in float16 (the default on CUDA) without", 'GradScaler("cuda")'),
        ("torch.cuda.amp.autocast()", "trains in float16 (the default on CUDA) without", 'GradScaler("cuda")'),
        ("torch.autocast(device, dtype=torch.float16)", "trains in float16 without", 'GradScaler("cuda")'),
        ('torch.autocast("xpu", dtype=torch.float16)', "trains in float16 without", 'GradScaler("xpu")'),
    ],
)
def test_the_device_that_is_trained_on(tmp_path: Path, autocast: str, first: str, scaler: str) -> None:
    (tmp_path / "train.py").write_text(STEP.format(autocast=autocast), encoding="utf-8")
    (found,) = check_paths([tmp_path / "train.py"], select=["TL401"])
    assert first in found.message
    assert scaler in found.message
