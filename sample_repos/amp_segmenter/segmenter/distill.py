"""A small network learns from the large one."""

from __future__ import annotations

import argparse

import torch
from torch.utils.data import DataLoader

from .losses import teaching_losses
from .network import Segmenter, Student
from .precision import narrow
from .records import RoundMean


@torch.no_grad()
def taught_outlines(teacher: Segmenter, photos: torch.Tensor, device: torch.device) -> torch.Tensor:
    """What the large network says."""
    with narrow(device):
        return teacher(photos)[-1].float()


def distill(args: argparse.Namespace, teacher: Segmenter, tiles: DataLoader, device: torch.device) -> Student:
    """Train a student on the teacher's outlines and on the right ones."""
    student = Student(args.student_channels).to(device)
    optimizer = torch.optim.AdamW(student.parameters(), lr=args.learning_rate)
    teacher.eval()
    for turn in range(args.distill_rounds):
        mean = RoundMean()
        parts = dict.fromkeys(("teacher", "outline"), 0.0)
        for photos, outlines, _ in tiles:
            photos, outlines = photos.to(device), outlines.to(device)
            taught = taught_outlines(teacher, photos, device)
            losses = teaching_losses(student(photos).float(), taught, outlines)
            optimizer.zero_grad(set_to_none=True)
            loss = sum(losses.values())
            loss.backward()
            optimizer.step()
            mean.include(loss, len(photos))  # expect: TL302
            for name, part in losses.items():
                parts[name] += part.item() * len(photos)
        shares = ", ".join(f"{name} {part / mean.tiles:.4f}" for name, part in parts.items())
        print(f"distilled {turn}: loss {mean.value():.4f}, of which {shares}")
    return student
