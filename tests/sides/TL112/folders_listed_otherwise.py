"""What stands in a folder: listed, sorted, filtered, cut or kept, of one folder for all or of one for each rank."""

import glob
import os
import shutil
from pathlib import Path

import torch.distributed as dist
from natsort import natsorted

KEPT = sorted(os.listdir("runs"))


def whole(folder):
    dist.init_process_group("nccl")
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))  # expect: TL112


def own_folder(folder):
    dist.init_process_group("nccl")
    mine = os.path.join(folder, str(dist.get_rank()))
    for name in os.listdir(mine):
        os.remove(os.path.join(mine, name))


def ordered(folder):
    dist.init_process_group("nccl")
    for path in natsorted(glob.glob(folder + "/*.pt")):
        os.remove(path)  # expect: TL112


def own_order(folder):
    dist.init_process_group("nccl")
    for path in natsorted(glob.glob(f"{folder}/{dist.get_rank()}-*.pt")):
        os.remove(path)


def cut(folder, keep):
    dist.init_process_group("nccl")
    for path in sorted(glob.glob(folder + "/*.pt"))[:-keep]:
        os.remove(path)  # expect: TL112


def first_two(folder):
    dist.init_process_group("nccl")
    names = sorted(os.listdir(folder))[:2]
    for name in names:
        os.remove(os.path.join(folder, name))  # expect: TL112


def cut_by_rank(folder):
    dist.init_process_group("nccl")
    for path in sorted(glob.glob(folder + "/*.pt"))[dist.get_rank() :: dist.get_world_size()]:
        os.remove(path)


def one_by_rank(folder):
    dist.init_process_group("nccl")
    os.remove(sorted(glob.glob(folder + "/*.pt"))[dist.get_rank()])


def oldest(folder):
    dist.init_process_group("nccl")
    os.remove(sorted(glob.glob(folder + "/*.pt"))[0])  # expect: TL112


def filtered(folder):
    dist.init_process_group("nccl")
    for path in [each for each in glob.glob(folder + "/*") if each.endswith(".tmp")]:
        os.remove(path)  # expect: TL112


def filtered_by_rank(folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    for path in [each for each in glob.glob(folder + "/*") if each.endswith(f"{rank}.tmp")]:
        os.remove(path)


def listed_by(folder):
    return sorted(glob.glob(folder + "/*.pt"))


def listed_shorter(folder):
    found = listed_by(folder)
    return found[1:]


def listed_or_given(folder, given):
    if given:
        return given
    return sorted(glob.glob(folder + "/*.pt"))


def listed_one_by_one(folder):
    yield from sorted(glob.glob(folder + "/*.pt"))


def from_a_function(folder):
    dist.init_process_group("nccl")
    for path in listed_by(folder):
        os.remove(path)  # expect: TL112


def from_a_function_of_one_rank(folder):
    dist.init_process_group("nccl")
    for path in listed_by(f"{folder}/{dist.get_rank()}"):
        os.remove(path)


def from_two_functions(folder):
    dist.init_process_group("nccl")
    for path in listed_shorter(folder):
        os.remove(path)  # expect: TL112


def from_somewhere(folder, shard_files):
    dist.init_process_group("nccl")
    for path in listed_or_given(folder, shard_files):
        os.remove(path)


def from_a_generator(folder):
    dist.init_process_group("nccl")
    for path in listed_one_by_one(folder):
        os.remove(path)


def from_the_top():
    dist.init_process_group("nccl")
    for name in KEPT:
        shutil.rmtree(os.path.join("runs", name))  # expect: TL112


class Pruner:
    def __init__(self, folder):
        self.folder = folder
        self.paths = sorted(glob.glob(os.path.join(folder, "*.pt")))
        self.own_paths = sorted(glob.glob(os.path.join(folder, f"*-{dist.get_rank()}.pt")))

    def prune(self):
        dist.barrier()
        for path in self.paths:
            os.remove(path)  # expect: TL112

    def prune_own(self):
        dist.barrier()
        for path in self.own_paths:
            os.remove(path)


def remove_all(paths):
    for path in paths:
        os.remove(path)  # expect: TL112


def hands_on(folder):
    dist.init_process_group("nccl")
    remove_all(glob.glob(folder + "/*.tmp"))


def remove_some(paths):
    for path in paths:
        os.remove(path)


def hands_on_own(folder):
    dist.init_process_group("nccl")
    remove_some(glob.glob(f"{folder}/{dist.get_rank()}/*.tmp"))


def by_path(folder):
    dist.init_process_group("nccl")
    for path in sorted(Path(folder).iterdir()):
        path.unlink()  # expect: TL112


def by_own_path(folder):
    dist.init_process_group("nccl")
    for path in sorted(Path(folder, str(dist.get_rank())).iterdir()):
        path.unlink()


def newest(folder):
    dist.init_process_group("nccl")
    os.remove(max(glob.glob(folder + "/*.pt"), key=os.path.getmtime))  # expect: TL112


def with_more(folder, local_file):
    dist.init_process_group("nccl")
    names = sorted(glob.glob(folder + "/*.pt"))
    names.append(local_file)
    for name in names:
        os.remove(name)


def by_a_tree(folder):
    dist.init_process_group("nccl")
    for top, folders, files in os.walk(folder):
        for name in files:
            os.remove(os.path.join(top, name))  # expect: TL112
