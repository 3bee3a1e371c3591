"""Nothing is unscaled anywhere, and need not be: the clip is for the norm alone, on the way without a scaler, or behind the step."""

import torch
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_


def norm_only(net, optimizer, scaler: GradScaler):
    norm = clip_grad_norm_(net.parameters(), float("inf"))
    scaler.step(optimizer)
    scaler.update()
    return norm


def two_ways(net, optimizer, scaler: GradScaler, amp):
    if amp:
        scaler.step(optimizer)
        scaler.update()
    else:
        clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()


def off(net, optimizer):
    scaler = GradScaler("cuda", enabled=False)
    clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()


def scaled_bound(net, optimizer, scaler: GradScaler):
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0 * scaler.get_scale())
    scaler.step(optimizer)
    scaler.update()


def plain(net, optimizer):
    clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
