"""Keys that are read and not saved."""
# Modelled on OpenGVLab/InternVideo, facebookresearch/detr, NVIDIA/DeepLearningExamples, allenai/tango.

import os

import torch
from torch import optim


class Trainer:
    def __init__(self, config, policy):
        self.config = config
        self.policy = policy
        self.optimizer = optim.AdamW(policy.parameters())

    def save(self, iteration):
        torch.save(
            obj={
                "state_dict": self.policy.state_dict(),
                "optim_state": self.optimizer.state_dict(),
                "iteration": iteration,
            },
            f=os.path.join(self.config.folder, f"ckpt.iter{iteration}.pth"),
        )

    def load(self, path):
        loaded = torch.load(path, map_location="cpu")
        self.policy.load_state_dict(loaded["state_dict"])
        if self.config.requeue:
            self.optimizer.load_state_dict(loaded["optim_state"])
            self.start = loaded["epoch"] + 1  # expect: TL604


def kept(model, optimizer, scheduler, number, path):
    state = {"weights": model.state_dict()}
    state["adam"] = optimizer.state_dict()
    state["number"] = number
    torch.save(state, path)


def brought_back(model, optimizer, scheduler, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["adam"])
    scheduler.load_state_dict(state["rate"])  # expect: TL604
    return state["number"]


def write(path, **parts):
    torch.save(parts, path)


def save_all(args, net, opt, lowest, epoch):
    save_it({"net_state": net.state_dict(), "opt_state": opt.state_dict(), "lowest_loss": lowest, "at": epoch}, args.out)


def save_it(state, folder):
    torch.save(state, f"{folder}/all-{state['at']}.pt")


def load_all(args, net, opt):
    found = torch.load(args.resume, map_location="cpu")
    net.load_state_dict(found["net_state"])
    opt.load_state_dict(found["opt_state"])
    return found["at"], found["lowest"]  # expect: TL604
