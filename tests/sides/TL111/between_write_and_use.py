"""What stands between the write of rank 0 and the use by the others, and where they use it."""

import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def at_once(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    return torch.load(path)


def after_a_barrier(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()
    return torch.load(path)


def after_a_barrier_in_a_loop(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    for _ in range(2):
        dist.barrier()
    return torch.load(path)


def in_a_loop(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    for _ in range(2):
        model.load_state_dict(torch.load(path))


def behind_a_loop(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    for name in ("a", "b"):
        print(name)
    else:
        print("done")
    return torch.load(path)


def after_a_wrapper(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    model = DistributedDataParallel(model)
    return torch.load(path)


def after_a_backward_pass(model, batch, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    model(batch).backward()
    return torch.load(path)


def after_a_sleep(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    time.sleep(10)
    return torch.load(path)


def after_a_text_is_joined(model, folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "runs/last.pt")  # expect: TL111
    print("-".join(["the", "end"]))
    return torch.load("runs/last.pt")


def meet():
    dist.barrier()


def look(path):
    return torch.load(path)


def look_or_meet(path):
    dist.barrier()
    return torch.load(path)


def look_and_meet(path):
    found = torch.load(path)
    dist.barrier()
    return found


def deep(path):
    return deeper(path)


def deeper(path):
    return look(path)


def after_a_function_that_meets(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    meet()
    return torch.load(path)


def in_a_function(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    return look(path)


def in_a_function_that_meets_first(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    return look_or_meet(path)


def in_a_function_that_meets_later(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    return look_and_meet(path)


def in_a_deep_function(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    return deep(path)


def in_the_else(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    else:
        model.load_state_dict(torch.load(path))


def in_the_else_after_a_barrier(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
        dist.barrier()
    else:
        dist.barrier()
        model.load_state_dict(torch.load(path))


def under_a_setting(model, path, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    if args.again:
        model.load_state_dict(torch.load(path))


def under_a_setting_after_a_barrier(model, path, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    if args.again:
        dist.barrier()
        model.load_state_dict(torch.load(path))


def after_a_barrier_under_a_setting(model, path, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    if args.again:
        dist.barrier()
    return torch.load(path)


def for_rank_0_only(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    if dist.get_rank() == 0:
        model.load_state_dict(torch.load(path))


def others_only(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    if dist.get_rank() != 0:
        model.load_state_dict(torch.load(path))


def others_have_left(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() != 0:
        return None
    torch.save(model.state_dict(), path)
    return torch.load(path)


def all_have_left(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    sys.exit(0)
    return torch.load(path)


def another_path(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path + ".new")
    return torch.load(path)


def written_again(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    torch.save(model.state_dict(), path)
    return torch.load(path)


def in_a_try(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    try:
        model.load_state_dict(torch.load(path))
    finally:
        print("done")


def at_the_end_of_a_try(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)  # expect: TL111
    try:
        print("begin")
    finally:
        model.load_state_dict(torch.load(path))


def after_a_try_that_meets(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    try:
        dist.barrier()
    finally:
        print("done")
    return torch.load(path)


def asked_first(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    if os.path.exists(path):
        model.load_state_dict(torch.load(path))


def asked_first_and_left(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    if not os.path.exists(path):
        return None
    return torch.load(path)


def asked_for_something_else(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    if os.path.exists("stop"):
        dist.barrier()
    return torch.load(path)


def a_generator(path):
    yield torch.load(path)


def in_a_generator(model, path):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    return a_generator(path)
