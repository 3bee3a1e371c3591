"""Work is dealt out by rank: each rank does its part in the round that is its own, and all of them do as much."""

import torch.distributed as dist


def names_of_workers(rank, work):
    for worker, requests in work.items():
        if f"worker-{rank}" == worker:
            for request in requests:
                dist.all_gather([], request)


def turns_of_a_plan(plan):
    for turn in plan:
        if dist.get_rank() == turn.leader:
            dist.all_reduce(turn.values)


def not_mine(plan):
    for owner, tensor in plan:
        if owner != str(dist.get_rank()):
            continue
        dist.all_reduce(tensor)


def by_the_number_of_the_round(batches):
    for step, batch in enumerate(batches):
        if step % 10 == 0 and dist.get_rank() == 0:
            dist.all_reduce(batch)  # expect: TL101
