"""The path, or a part of it, is a parameter: with a default, handed on, or from nobody in sight."""

import os

import torch
import torch.distributed as dist


def plain(model, path):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), path)  # expect: TL112


def with_a_rank_in_its_name(model, rank_path):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), rank_path)


def with_a_time_in_its_name(model, timestamp):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), timestamp)


def with_a_matrix_rank_in_its_name(model, lora_rank):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"runs/lora{lora_rank}.pt")  # expect: TL112


def save_default(model, path="runs/default.pt"):
    torch.save(model.state_dict(), path)  # expect: TL112


def calls_with_default(model):
    dist.init_process_group("nccl")
    save_default(model)


def save_own_default(model, path=f"runs/{os.getpid()}.pt"):
    torch.save(model.state_dict(), path)


def calls_with_own_default(model):
    dist.init_process_group("nccl")
    save_own_default(model)


def save_handed(model, path):
    torch.save(model.state_dict(), path)


def calls_with_rank(model):
    dist.init_process_group("nccl")
    save_handed(model, f"runs/{dist.get_rank()}.pt")


def save_all_handed(model, path):
    torch.save(model.state_dict(), path)  # expect: TL112


def calls_with_text(model):
    dist.init_process_group("nccl")
    save_all_handed(model, "runs/last.pt")


def save_named(model, *, folder, name):
    torch.save(model.state_dict(), os.path.join(folder, name))  # expect: TL112


def calls_with_keywords(model):
    dist.init_process_group("nccl")
    save_named(model, name="last.pt", folder="runs")


def save_named_apart(model, *, folder, name):
    torch.save(model.state_dict(), os.path.join(folder, name))


def calls_with_own_keyword(model):
    dist.init_process_group("nccl")
    save_named_apart(model, name=f"{dist.get_rank()}.pt", folder="runs")


def save_parts(model, *parts):
    torch.save(model.state_dict(), os.path.join(*parts))


def calls_with_parts(model):
    dist.init_process_group("nccl")
    save_parts(model, "runs", f"{dist.get_rank()}.pt")


def save_either(model, path):
    torch.save(model.state_dict(), path)  # expect: TL112


def calls_with_either(model, args):
    dist.init_process_group("nccl")
    save_either(model, f"runs/{dist.get_rank()}.pt")
    save_either(model, "runs/whole.pt")


def outer(model, folder):
    dist.init_process_group("nccl")

    def save(name):
        torch.save(model.state_dict(), os.path.join(folder, name))  # expect: TL112

    save("last.pt")


def outer_apart(model, folder):
    dist.init_process_group("nccl")
    mine = os.path.join(folder, str(dist.get_rank()))

    def save(name):
        torch.save(model.state_dict(), os.path.join(mine, name))

    save("last.pt")


def default_or_made(model, path=None):
    dist.init_process_group("nccl")
    if path is None:
        path = "runs/made.pt"
    torch.save(model.state_dict(), path)  # expect: TL112


def default_or_own(model, path=None):
    dist.init_process_group("nccl")
    if path is None:
        path = f"runs/{dist.get_rank()}.pt"
    torch.save(model.state_dict(), path)


def default_by_or(model, folder=None):
    dist.init_process_group("nccl")
    folder = folder or "runs"
    torch.save(model.state_dict(), folder + "/last.pt")  # expect: TL112


def default_by_or_own(model, folder=None):
    dist.init_process_group("nccl")
    folder = folder or f"runs{dist.get_rank()}"
    torch.save(model.state_dict(), folder + "/last.pt")


def by_a_flag(model, args):
    dist.init_process_group("nccl")
    name = "best" if args.best else "last"
    torch.save(model.state_dict(), name + ".pt")  # expect: TL112


def by_the_rank(model):
    dist.init_process_group("nccl")
    name = "first" if dist.get_rank() == 0 else "rest"
    torch.save(model.state_dict(), name + ".pt")


def by_a_flag_of_the_rank(model, args):
    dist.init_process_group("nccl")
    name = "first" if args.is_master else "rest"
    torch.save(model.state_dict(), name + ".pt")


def by_an_import(model):
    try:
        import safetensors

        suffix = "safetensors"
    except ImportError:
        suffix = "pt"
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), "runs/last." + suffix)  # expect: TL112
