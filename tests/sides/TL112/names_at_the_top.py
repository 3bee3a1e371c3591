"""Paths that stand at the top of the file: constants, what is bound again, and what each process makes for itself."""

import os
import sys
import tempfile
import uuid

import torch
import torch.distributed as dist

FOLDER = "runs"
NAME = "last"
WEIGHTS = os.path.join(FOLDER, NAME + ".pt")
OWN_FOLDER = tempfile.mkdtemp()
TOKEN = uuid.uuid4().hex
RANK = int(os.environ["RANK"])
PIECE = "piece%d.pt" % RANK
CURRENT = "first.pt"
FROM_SHELL = os.environ.get("OUTPUT_DIR", "runs")
SHELL_RANK = os.environ.get("SLURM_PROCID", "0")
NODE_NAME = os.environ.get("MY_NODE_RANK", "0")
PYTHON = sys.executable


def use(path):
    global CURRENT
    CURRENT = path


def constant(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), WEIGHTS)  # expect: TL112


def bound_again(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), CURRENT)


def own_folder(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(OWN_FOLDER, "last.pt"))


def own_token(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{FOLDER}/{TOKEN}.pt")


def piece(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{FOLDER}/{PIECE}")


def from_the_shell(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{FROM_SHELL}/last.pt")  # expect: TL112


def rank_from_the_shell(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{FROM_SHELL}/{SHELL_RANK}.pt")


def node_from_the_shell(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), f"{FROM_SHELL}/{NODE_NAME}.pt")


def read_here(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(os.environ["OUTPUT_DIR"], "last.pt"))  # expect: TL112


def rank_read_here(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join("runs", os.environ["SLURM_PROCID"], "last.pt"))


def rank_got_here(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join("runs", os.getenv("LOCAL_RANK"), "last.pt"))


def attribute_of_a_library(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(FOLDER, "a" + os.sep + "last.pt"))  # expect: TL112


def from_a_list(model):
    dist.init_process_group("nccl")
    kinds = ("best", "last")
    torch.save(model.state_dict(), f"{FOLDER}/{kinds[1]}.pt")  # expect: TL112


def from_a_list_with_a_rank(model):
    dist.init_process_group("nccl")
    kinds = ("best", dist.get_rank())
    torch.save(model.state_dict(), f"{FOLDER}/{kinds[1]}.pt")


def from_a_list_beside_a_rank(model):
    dist.init_process_group("nccl")
    kinds = ("best", dist.get_rank())
    torch.save(model.state_dict(), f"{FOLDER}/{kinds[0]}.pt")  # expect: TL112


def from_a_list_by_rank(model):
    dist.init_process_group("nccl")
    kinds = ["first", "second", "third", "fourth"]
    torch.save(model.state_dict(), f"{FOLDER}/{kinds[dist.get_rank()]}.pt")


def from_the_end_of_a_list(model):
    dist.init_process_group("nccl")
    kinds = [dist.get_rank(), "last"]
    torch.save(model.state_dict(), f"{FOLDER}/{kinds[-1]}.pt")  # expect: TL112
