"""The last one by number or time, and lists of something else."""
# Modelled on huggingface/diffusers, jik876/hifi-gan, openai/guided-diffusion, ultralytics/yolov5, karpathy/nanoGPT, facebookresearch/fairseq.

import glob
import os
import re
from pathlib import Path

import torch


def by_number(args, accelerator, step):
    accelerator.save_state(os.path.join(args.output_dir, f"checkpoint-{step}"))
    dirs = [d for d in os.listdir(args.output_dir) if d.startswith("checkpoint")]
    dirs = sorted(dirs, key=lambda x: int(x.split("-")[1]))
    accelerator.load_state(os.path.join(args.output_dir, dirs[-1]))


def by_time(folder, step, model):
    torch.save(model.state_dict(), f"{folder}/time-{step}.pt")
    return torch.load(max(glob.glob(f"{folder}/time-*.pt"), key=os.path.getctime), map_location="cpu")


def padded(folder, steps, generator):
    torch.save(generator.state_dict(), f"{folder}/g_{steps:08d}")
    return torch.load(sorted(glob.glob(f"{folder}/g_????????"))[-1], map_location="cpu")


def padded_in_the_old_way(folder, step, model):
    torch.save(model.state_dict(), os.path.join(folder, "model%06d.pt" % step))
    torch.load(sorted(glob.glob(os.path.join(folder, "model*.pt")))[-1], map_location="cpu")


def padded_by_a_method(folder, step, model):
    torch.save(model.state_dict(), os.path.join(folder, "weights" + str(step).zfill(7) + ".pth"))
    torch.load(sorted(glob.glob(os.path.join(folder, "weights*.pth")))[-1], map_location="cpu")


def as_numbers(folder, epoch, model):
    torch.save(model.state_dict(), os.path.join(folder, f"net.{epoch}"))
    last = max(int(re.findall(r"\d+", name)[0]) for name in os.listdir(folder) if name.startswith("net."))
    return torch.load(os.path.join(folder, f"net.{last}"), map_location="cpu")


def all_of_them(folder, epoch, model):
    torch.save(model.state_dict(), os.path.join(folder, f"part-{epoch}.pt"))
    for path in sorted(Path(folder).glob("part-*.pt")):
        model.load_state_dict(torch.load(path, map_location="cpu"))


def of_runs(root, model, step):
    torch.save(model.state_dict(), f"{root}/step-{step}.pt")
    runs = sorted(name for name in os.listdir(root) if name.startswith("2024-"))
    return torch.load(os.path.join(root, runs[-1], "last.pt"), map_location="cpu")


def by_score(folder, score, model):
    torch.save(model.state_dict(), f"{folder}/acc-{score:.4f}.pt")
    return torch.load(sorted(glob.glob(f"{folder}/acc-*.pt"))[-1], map_location="cpu")


def in_natural_order(folder, step, model, natsorted):
    torch.save(model.state_dict(), f"{folder}/nat-{step}.pt")
    return torch.load(natsorted(glob.glob(f"{folder}/nat-*.pt"))[-1], map_location="cpu")


def padded_folders(out_dir, step, model):  # as Lightning-AI/litgpt names them
    torch.save(model.state_dict(), Path(out_dir) / f"step-{step:08d}" / "lit_model.pth")
    return torch.load(max(Path(out_dir).glob("step-*/*.pth")), map_location="cpu")
