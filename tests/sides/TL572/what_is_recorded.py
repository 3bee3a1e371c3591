"""A tensor that is recorded for the current stream: in the block in which it was made, before it, behind it."""

import torch
from torch.cuda import current_stream, stream


def made_in_the_block(batch, device):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        moved = batch.to(device)
        moved.record_stream(torch.cuda.current_stream())  # expect: TL572
    torch.cuda.current_stream().wait_stream(side)
    return moved


def made_before_the_block(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        batch.record_stream(torch.cuda.current_stream())
        doubled = batch.mul(2)
    torch.cuda.current_stream().wait_stream(side)
    return doubled


def recorded_behind(batch, device):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        moved = batch.to(device)
    torch.cuda.current_stream().wait_stream(side)
    moved.record_stream(torch.cuda.current_stream())
    return moved


def recorded_for_another(batch, device, main):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        moved = batch.to(device)
        moved.record_stream(main)
    main.wait_stream(side)
    return moved


def asked_before(batch, device):
    side, main = torch.cuda.Stream(), torch.cuda.current_stream()
    with torch.cuda.stream(side):
        moved = batch.to(device)
        moved.record_stream(main)
    main.wait_stream(side)
    return moved


def imported_names(batch, device, side):
    with stream(side):
        moved = batch.to(device)
        moved.record_stream(current_stream())  # expect: TL572
    current_stream().wait_stream(side)
    return moved


def fetch(batch, device):
    moved = batch.to(device)
    moved.record_stream(torch.cuda.current_stream())  # expect: TL572
    return moved


def fetches_in_a_block(batch, device):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        found = fetch(batch, device)
    torch.cuda.current_stream().wait_stream(side)
    return found


def fetch_for(batch, device, stream_of_caller):
    moved = batch.to(device)
    moved.record_stream(torch.cuda.current_stream())
    stream_of_caller.wait_stream(torch.cuda.current_stream())
    return moved


def fetches_for_in_a_block(batch, device):
    side, main = torch.cuda.Stream(), torch.cuda.current_stream()
    with torch.cuda.stream(side):
        return fetch_for(batch, device, main)


def fetch_outside(batch, device):
    moved = batch.to(device)
    moved.record_stream(torch.cuda.current_stream())
    return moved


def fetches_outside(batch, device):
    return fetch_outside(batch, device)
