"""Flights are films: a memory is trained on their frames, several at a time."""

from __future__ import annotations

import argparse

import torch

from .losses import outline_loss
from .network import FlightMemory, Segmenter
from .tiles import Tiles

FRAMES_PER_STEP = 4


def train_memory(args: argparse.Namespace, segmenter: Segmenter, device: torch.device) -> FlightMemory:
    """Train a memory in bfloat16, whose range is that of float32: nothing has to be scaled."""
    flight = Tiles(args.tiles)
    remembering = FlightMemory(segmenter, args.channels).to(device)
    optimizer = torch.optim.AdamW(remembering.parameters(), lr=args.learning_rate)
    photo, _, _ = flight[0]
    memory = torch.zeros(1, args.channels, *photo.shape[1:], device=device)
    window, history = 0.0, []
    for number in range(min(args.adapt_frames, len(flight))):
        photo, outline, _ = flight[number]
        with torch.autocast(device.type, dtype=torch.bfloat16):
            scores, memory = remembering(photo[None].to(device), memory)
        window = window + outline_loss(scores.float(), outline[None].to(device))
        if (number + 1) % FRAMES_PER_STEP == 0:
            optimizer.zero_grad(set_to_none=True)
            window.backward()
            optimizer.step()
            history.append(window.detach())
            window, memory = 0.0, memory.detach()
    if history:
        print(f"flights: loss {torch.stack(history).mean().item():.4f}")
    return remembering
