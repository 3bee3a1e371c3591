"""The last one that works: tried one after the other, from the end. The numbers are in the names of folders, too."""
# Modelled on nvidia-cosmos/cosmos-rl, before it was mended.

import os
from pathlib import Path

import torch


class Manager:
    def __init__(self, config):
        self.folder = os.path.join(config.output, "checkpoints")

    def candidates(self):
        steps = os.listdir(self.folder)
        steps.sort()  # expect: TL609
        return [os.path.join(self.folder, step, "policy") for step in reversed(steps)]

    def save(self, model, step):
        inner = os.path.join(f"step_{step}", "policy")
        os.makedirs(os.path.join(self.folder, inner), exist_ok=True)
        torch.save(model.state_dict(), os.path.join(self.folder, inner, "model.pt"))

    def resume(self, model):
        for path in self.candidates():
            try:
                model.load_state_dict(torch.load(os.path.join(path, "model.pt")))
                return path
            except OSError:
                print("damaged:", path)
        return None


def resume_by_pattern(folder, model):
    for path in sorted(Path(folder).glob("epoch_*.pt"), reverse=True):  # expect: TL609
        try:
            model.load_state_dict(torch.load(path))
        except RuntimeError:
            continue
        break


def keep_epoch(folder, epoch, model):
    torch.save(model.state_dict(), Path(folder) / f"epoch_{epoch}.pt")


def resume_in_place(args, model):
    for name in reversed(sorted(os.listdir(args.snapshots))):  # expect: TL609
        if os.path.getsize(os.path.join(args.snapshots, name)) > 0:
            return torch.load(os.path.join(args.snapshots, name))
    return None


def keep_snapshot(args, step, model):
    torch.save(model.state_dict(), os.path.join(args.snapshots, "iteration-%d" % step))
