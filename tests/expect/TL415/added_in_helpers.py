"""The total is made in one function and added to in another: in place, as `+=` does, or by a sum that takes the wider type."""

import torch


def add(total, loss):
    total += loss
    return total


def grown_by_a_helper(losses, device):
    total = torch.zeros((), dtype=torch.float16, device=device)
    for loss in losses:
        total = add(total, loss)  # expect: TL415
    return total / len(losses)


def add_for(total, losses):
    for loss in losses:
        total += loss  # expect: TL415
    return total


def in_a_loop_of_a_helper(losses):
    return add_for(torch.zeros((), dtype=torch.bfloat16), losses)


def wide(losses):
    total = torch.zeros((), dtype=torch.float32)
    for loss in losses:
        total = add(total, loss)
    return total


def plus(total, loss):
    return total + loss


def of_the_wider_type(losses):
    """What is added may be float32: then the sum is, too."""
    total = torch.zeros((), dtype=torch.float16)
    for loss in losses:
        total = plus(total, loss)
    return total
