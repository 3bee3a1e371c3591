"""The last one of all files of a folder."""
# Modelled on jzhang38/TinyLlama.

from pathlib import Path

import torch


def keep(out_dir, state, iteration):
    torch.save(state, Path(out_dir) / f"iter-{iteration}-ckpt.pth")


def resume(out_dir):
    return torch.load(sorted(Path(out_dir).glob("*.pth"))[-1], map_location="cpu")  # expect: TL609
