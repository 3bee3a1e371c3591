"""Directories, text files and pictures of a job that every process makes at once."""

import json
import os
import shutil
from pathlib import Path

import matplotlib.pyplot as plt
from accelerate import Accelerator


def report(results, folder):
    with open(os.path.join(folder, "results.json"), "w") as file:  # expect: TL112
        json.dump(results, file)


def prepare(folder, fresh):
    if fresh and os.path.exists(folder):
        shutil.rmtree(folder)  # expect: TL112
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: TL112


def main(args, model, loader, evaluate):
    accelerator = Accelerator()
    prepare(args.output_dir, args.overwrite)
    pictures = Path(args.output_dir) / "pictures"
    if not pictures.exists():
        pictures.mkdir(parents=True)  # expect: TL112
    model, loader = accelerator.prepare(model, loader)
    results = evaluate(model, loader)
    report(results, args.output_dir)
    plt.plot(results["curve"])
    plt.savefig(pictures / "curve.png")  # expect: TL112
    (pictures / "caption.txt").write_text("loss")  # expect: TL112
