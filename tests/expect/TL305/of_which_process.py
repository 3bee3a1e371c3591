"""Tests for the process, by what they ask, and tests for something else whose names have the words of one."""

import torch
import torch.distributed as dist


def is_first():
    return dist.get_rank() == 0


def main_process_of(model, optimizer, loader, use_master_weights, world_model):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if use_master_weights:
            torch.cuda.empty_cache()
        if world_model:
            torch.cuda.empty_cache()


def by_a_function(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if is_first():
            torch.cuda.empty_cache()  # expect: TL305


def by_its_number(model, optimizer, loader):
    own = dist.get_rank()
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if own == 0:
            torch.cuda.empty_cache()  # expect: TL305
