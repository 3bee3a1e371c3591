"""What a block in another stream computed, and what is done with it behind the block."""

import torch


def used(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return doubled.sum()  # expect: TL572


def used_by_a_function(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return torch.sum(doubled)  # expect: TL572


def an_item_used(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return doubled[0].sum()  # expect: TL572


def a_sum_used(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return (doubled + 1).sum()  # expect: TL572


def handed_back(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return doubled


def only_its_size(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return doubled.size(0)


def shown_to_nobody(batch, keep):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    keep(doubled)


def something_else_used(batch, other):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    print(other.sum())
    return doubled


def stream_waits(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    torch.cuda.current_stream().wait_stream(side)
    return doubled.sum()


def device_waits(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    torch.cuda.synchronize()
    return doubled.sum()


def waits_in_the_block(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
        side.synchronize()
    return doubled.sum()


def waits_by_a_helper(batch, helper):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    helper.wait_for_all()
    return doubled.sum()


def ends_in_time(batch, helper):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    helper.report()
    return doubled.sum()  # expect: TL572


def synchronized(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return doubled.sum()


def in_the_current_stream(batch):
    with torch.cuda.stream(torch.cuda.current_stream()):
        doubled = batch.mul(2)
    return doubled.sum()


def in_a_stream_of_a_caller(batch, side):
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    return doubled.sum()


def in_another_block_of_it(batch):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        doubled = batch.mul(2)
    with torch.cuda.stream(side):
        total = doubled.sum()
    return total


def in_a_block_of_a_lock(batch, lock):
    with lock:
        doubled = batch.mul(2)
    return doubled.sum()


def one_after_the_other(batches):
    side = torch.cuda.Stream()
    for batch in batches:
        with torch.cuda.stream(side):
            doubled = batch.mul(2)
        yield doubled.sum()


def unnamed(batch):
    with torch.cuda.stream(torch.cuda.Stream()):
        doubled = batch.mul(2)
    return doubled.sum()  # expect: TL572
