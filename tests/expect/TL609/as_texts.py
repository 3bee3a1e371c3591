"""The last one by its name."""
# Modelled on huggingface/diffusers, huggingface/accelerate, jik876/hifi-gan, NVIDIA/waveglow, openai/guided-diffusion, lucidrains/imagen-pytorch.

import glob
import os
from pathlib import Path

import torch


def resume(args, accelerator):
    dirs = os.listdir(args.output_dir)
    dirs = [d for d in dirs if d.startswith("checkpoint")]
    dirs = sorted(dirs)  # expect: TL609
    path = dirs[-1] if len(dirs) > 0 else None
    if path is not None:
        accelerator.load_state(os.path.join(args.output_dir, path))


def train(args, accelerator, model, optimizer, loader):
    global_step = 0
    for batch in loader:
        optimizer.zero_grad()
        accelerator.backward(model(batch).mean())
        optimizer.step()
        global_step += 1
        if global_step % args.every == 0:
            accelerator.save_state(os.path.join(args.output_dir, f"checkpoint-{global_step}"))


def scan_checkpoint(folder):
    found = glob.glob(os.path.join(folder, "g_*"))
    if len(found) == 0:
        return None
    return sorted(found)[-1]  # expect: TL609


def keep_generator(folder, steps, generator):
    torch.save({"generator": generator.state_dict()}, "{}/g_{}".format(folder, steps))


def find_resume_checkpoint(folder):
    names = [os.path.join(folder, name) for name in os.listdir(folder) if "ema_" in name and name.endswith(".pt")]
    return max(names)  # expect: TL609


def keep_average(folder, step, average):
    torch.save(average, os.path.join(folder, "ema_%d.pt" % step))


class Trainer:
    def __init__(self, folder, model):
        self.folder = Path(folder)
        self.model = model
        self.steps = 0

    def save(self):
        torch.save(self.model.state_dict(), self.folder / f"milestone.{self.steps}.pt")

    def load(self):
        paths = list(self.folder.glob("milestone.*.pt"))
        paths.sort(reverse=True)  # expect: TL609
        self.model.load_state_dict(torch.load(paths[0], map_location="cpu"))


def last_checkpoint(folder):
    files = [name for name in os.listdir(folder) if name.endswith(".ckpt")]
    files.sort()  # expect: TL609
    return os.path.join(folder, files[-1])


def every_epoch(folder, model, epochs):
    for epoch in range(epochs):
        torch.save(model.state_dict(), os.path.join(folder, "run" + str(epoch) + ".ckpt"))


def latest_shard(folder):
    return max(glob.iglob(f"{folder}/shard-*.bin"))  # expect: TL609


def keep_shards(folder, states):
    for index, state in enumerate(states):
        torch.save(state, f"{folder}/shard-{index}.bin")
