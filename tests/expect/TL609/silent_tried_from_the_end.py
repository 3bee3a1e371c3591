"""All of them, from the first on, of another folder, several kinds in one, padded names."""

import os

import torch


def load_all(folder, model):
    for name in reversed(sorted(os.listdir(os.path.join(folder, "checkpoints")))):
        model.load_state_dict(torch.load(os.path.join(folder, "checkpoints", name)))
        model.eval()


def load_the_first(folder, model):
    for name in sorted(os.listdir(os.path.join(folder, "checkpoints"))):
        return torch.load(os.path.join(folder, "checkpoints", name))
    return None


def load_of_another_folder(folder):
    for name in reversed(sorted(os.listdir(os.path.join(folder, "pretrained")))):
        return torch.load(os.path.join(folder, "pretrained", name))
    return None


def keep(folder, step, model):
    torch.save(model.state_dict(), os.path.join(folder, "checkpoints", f"step_{step}.pt"))


def load_padded(folder):
    for name in reversed(sorted(os.listdir(os.path.join(folder, "padded")))):
        return torch.load(os.path.join(folder, "padded", name))
    return None


def keep_padded(folder, step, model):
    torch.save(model.state_dict(), os.path.join(folder, "padded", f"step_{step:06d}.pt"))


def load_of_several(folder):
    for name in reversed(sorted(os.listdir(os.path.join(folder, "several")))):
        return torch.load(os.path.join(folder, "several", name))
    return None


def keep_several(folder, step, model, optimizer):
    torch.save(model.state_dict(), os.path.join(folder, "several", f"model_{step}.pt"))
    torch.save(optimizer.state_dict(), os.path.join(folder, "several", f"optimizer_{step}.pt"))
