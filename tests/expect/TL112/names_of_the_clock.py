"""A name that says when it was made: the ranks read their clocks one after the other, and get one name or several."""

import os
import time
from datetime import datetime
from pathlib import Path

import torch
import torch.distributed as dist


class Checkpoints:
    def __init__(self, folder):
        self.folder = Path(folder)

    def save(self, model):
        place = self._fresh()
        os.makedirs(place)  # expect: TL112
        torch.save(model.state_dict(), place / "model.pt")  # expect: TL112

    def _fresh(self):
        moment = time.time()
        stamp = time.strftime("%Y-%m-%d+%H-%M-%S", time.localtime(moment))
        number = 0
        while (self.folder / f"{stamp}+{number:02d}").exists():
            number += 1
        return self.folder / f"{stamp}+{number:02d}"


def main(args, model, fit):
    dist.init_process_group("nccl")
    fit(model)
    Checkpoints(args.output_dir).save(model)


def run(args, model):
    dist.init_process_group("nccl")
    timestamp = datetime.now().strftime("%m-%d_%H-%M")
    folder = os.path.join(args.runs, timestamp)
    os.mkdir(folder)  # expect: TL112
    with open(f"{folder}/config.txt", "w") as file:  # expect: TL112
        file.write(str(args))
