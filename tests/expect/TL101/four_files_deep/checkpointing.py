import torch

from state import full_state


def write_checkpoint(model, optimizer, step):
    torch.save(full_state(model, optimizer), f"step{step:08d}.pt")
