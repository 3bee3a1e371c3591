"""Every rank writes a part; who reads the parts of all, and what he asks for."""

import glob
import os
from pathlib import Path

import torch
import torch.distributed as dist


def counted(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")  # expect: TL111
    if rank == 0:
        return [torch.load(f"{out}/part_{r}.pt") for r in range(dist.get_world_size())]
    return None


def counted_after_a_barrier(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")
    dist.barrier()
    if rank == 0:
        return [torch.load(f"{out}/part_{r}.pt") for r in range(dist.get_world_size())]
    return None


def counted_of_another_name(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")
    if rank == 0:
        return [torch.load(f"{out}/piece_{r}.pt") for r in range(dist.get_world_size())]
    return None


def own_again(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")
    return torch.load(f"{out}/part_{rank}.pt")


def by_the_last(found, out):
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.save(found, f"{out}/part_{rank}.pt")  # expect: TL111
    if rank == world - 1:
        return [torch.load(f"{out}/part_{r}.pt") for r in range(world)]
    return None


def formatted(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, os.path.join(out, "part_{}.pt".format(rank)))  # expect: TL111
    if rank == 0:
        return [torch.load(os.path.join(out, "part_{}.pt".format(r))) for r in range(dist.get_world_size())]
    return None


def formatted_of_another_name(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, os.path.join(out, "part_{}.pt".format(rank)))
    if rank == 0:
        return [torch.load(os.path.join(out, "piece_{}.pt".format(r))) for r in range(dist.get_world_size())]
    return None


def by_percent(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, "%s/part_%d.pt" % (out, rank))  # expect: TL111
    if rank == 0:
        return [torch.load("%s/part_%d.pt" % (out, r)) for r in range(dist.get_world_size())]
    return None


def added_up(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, out + "/part_" + str(rank))  # expect: TL111
    if rank == 0:
        return [torch.load(out + "/part_" + str(r)) for r in range(dist.get_world_size())]
    return None


def named_by_a_function(number, out):
    return os.path.join(out, f"part_{number}.pt")


def with_a_function(found, out):
    dist.init_process_group("gloo")
    torch.save(found, named_by_a_function(dist.get_rank(), out))  # expect: TL111
    if dist.get_rank() == 0:
        return [torch.load(named_by_a_function(r, out)) for r in range(dist.get_world_size())]
    return None


def by_a_pattern(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")  # expect: TL111
    if rank == 0:
        return [torch.load(path) for path in glob.glob(f"{out}/part_*.pt")]
    return None


def by_a_pattern_of_another_name(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")
    if rank == 0:
        return [torch.load(path) for path in glob.glob(f"{out}/piece_*.pt")]
    return None


def by_a_pattern_elsewhere(found, out, other):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, os.path.join(out, f"part_{rank}.pt"))
    if rank == 0:
        return [torch.load(path) for path in glob.glob(os.path.join(other, "part_*.pt"))]
    return None


def by_a_pattern_of_a_path(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, Path(out) / f"part_{rank}.pt")  # expect: TL111
    if rank == 0:
        return [torch.load(path) for path in Path(out).glob("part_*.pt")]
    return None


def by_a_name_without_a_star(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")
    if rank == 0:
        return [torch.load(path) for path in glob.glob(f"{out}/part_old.pt")]
    return None


def until_all_are_there(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.save(found, f"{out}/part_{rank}.pt")
    paths = []
    while rank == 0 and len(paths) < dist.get_world_size():
        paths = glob.glob(f"{out}/part_*.pt")
    return paths


def in_a_choice(found, out, args):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    name = f"{out}/part_{rank}.pt" if args.parts else f"{out}/all.pt"
    torch.save(found, name)  # expect: TL111
    if rank == 0:
        return [torch.load(f"{out}/part_{r}.pt") for r in range(dist.get_world_size())]
    return None


def written_by_one(found, out):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    if rank == 1:
        torch.save(found, f"{out}/part_{rank}.pt")
    if rank == 0:
        return [torch.load(f"{out}/old_{r}.pt") for r in range(dist.get_world_size())]
    return None


def write_part(found, out):
    torch.save(found, f"{out}/part_{dist.get_rank()}.pt")  # expect: TL111


def read_parts(out):
    return [torch.load(f"{out}/part_{r}.pt") for r in range(dist.get_world_size())]


def in_functions(found, out):
    dist.init_process_group("gloo")
    write_part(found, out)
    if dist.get_rank() == 0:
        return read_parts(out)
    return None


def write_piece(found, out):
    torch.save(found, f"{out}/piece_{dist.get_rank()}.pt")


def read_pieces(out):
    return [torch.load(f"{out}/piece_{r}.pt") for r in range(dist.get_world_size())]


def in_functions_that_wait(found, out):
    dist.init_process_group("gloo")
    write_piece(found, out)
    dist.barrier()
    if dist.get_rank() == 0:
        return read_pieces(out)
    return None
