"""Nobody else reads it: the same rank does, another file is read, or it is another run of the program."""

import os

import torch
import torch.distributed as dist


def same_rank(model, path="model.pt"):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
        torch.load(path)
    if dist.get_rank() == 0:
        torch.load(path)
    if dist.get_rank() != 0:
        return None
    return torch.load(path)


def other_file(model, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), f"{args.out}/last.pt")
    return torch.load(f"{args.out}/first.pt")


def read_before(model, args):
    dist.init_process_group("nccl")
    model.load_state_dict(torch.load(args.checkpoint))
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), args.checkpoint)


def one_or_the_other(model, args):
    dist.init_process_group("nccl")
    if args.export:
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), args.path)
    else:
        torch.load(args.path)


def path_of_its_own(model, args):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    path = os.path.join(args.out, f"rank{rank}.pt")
    if rank == 0:
        torch.save(model.state_dict(), path)
    return torch.load(path) if rank == 0 else None


def every_rank_makes_it(args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        os.makedirs(args.out, exist_ok=True)
    os.makedirs(args.out, exist_ok=True)
    torch.save({}, os.path.join(args.out, f"{dist.get_rank()}.pt"))


def single_process(model, path, rank=0):
    if rank == 0:
        torch.save(model.state_dict(), path)
    return torch.load(path)


def looked_for(model, args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), args.resume)
    if os.path.exists(args.resume):
        model.load_state_dict(torch.load(args.resume))
