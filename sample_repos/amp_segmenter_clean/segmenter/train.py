"""Entry point: ``python -m segmenter.train --tiles /datasets/roofs``."""

from __future__ import annotations

import torch

from .distill import distill
from .flights import train_memory
from .network import Segmenter
from .records import Curves
from .refine import Refiner
from .settings import read_settings
from .tiles import split_tiles
from .trainer import Trainer
from .warm_start import warm_start


def main() -> None:
    """All stages, one after the other."""
    args = read_settings()
    torch.manual_seed(23)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    learned, judged = split_tiles(args)
    segmenter, curves = Segmenter(args.channels).to(device), Curves()
    for mean in warm_start(args, segmenter, learned, device):
        curves.note("warm start", mean)
    Trainer(args, segmenter, curves, device).fit(learned, judged)
    Refiner(args, segmenter, device).fit(learned)
    curves.write(args.output / "curves.json")
    torch.save(segmenter.state_dict(), args.output / "segmenter.pt")
    torch.save(distill(args, segmenter, learned, device).state_dict(), args.output / "student.pt")
    if args.adapt_frames:
        torch.save(train_memory(args, segmenter, device).state_dict(), args.output / "memory.pt")


if __name__ == "__main__":
    main()
