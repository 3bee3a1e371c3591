"""`continue` and `break` of some ranks."""

import torch.distributed as dist


def skip_the_rest(rank, loader, log_every):
    for step, batch in enumerate(loader):
        loss = batch.mean()
        if rank != 0:
            continue
        dist.all_reduce(loss)  # expect: TL102
        print(step, loss)


def skip_first_rank(rank, loader):
    for batch in loader:
        if rank == 0:
            print(batch.shape)
            continue
        dist.barrier()  # expect: TL102


def leave_the_loop(rank, epochs, losses):
    for epoch in range(epochs):
        if rank == 0 and losses[-1] > losses[-2]:
            break
        dist.barrier()  # expect: TL102


def early_stopping_swallowed_by_logging(rank, epochs, evaluate, best):
    patience = 0
    for epoch in range(epochs):
        score = evaluate()
        if rank == 0:
            print(epoch, score)
            patience = 0 if score > best else patience + 1
            if patience > 5:
                break
        dist.barrier()  # expect: TL102


def endless(rank, queue):
    while True:
        if rank == 0 and not queue:
            break
        dist.broadcast_object_list(queue, src=0)  # expect: TL102


def return_from_a_loop(rank, loader):
    for batch in loader:
        if rank != 0:
            return
        dist.all_reduce(batch)  # expect: TL102


def after_the_loop(rank, files):
    for name in files:
        if rank != 0:
            return
        print(name)
    dist.barrier()  # expect: TL102
