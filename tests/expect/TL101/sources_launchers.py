"""Variables that launchers set: SLURM, Open MPI, MPICH, torchrun; with and without defaults."""

import os
from os import environ as env

import torch.distributed as dist

SLURM_RANK = int(os.environ["SLURM_PROCID"])
DEFAULTS = {"RANK": "0"}


def slurm(tensor):
    if int(os.environ["SLURM_PROCID"]) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def slurm_constant(tensor):
    if SLURM_RANK == 0:
        dist.all_reduce(tensor)  # expect: TL101


def slurm_local(tensor):
    if int(os.environ.get("SLURM_LOCALID", 0)) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def slurm_node(tensor):
    if os.getenv("SLURM_NODEID") == "0":
        dist.all_reduce(tensor)  # expect: TL101


def open_mpi(tensor):
    if int(os.getenv("OMPI_COMM_WORLD_RANK", "0")) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def open_mpi_local(tensor):
    if env.get("OMPI_COMM_WORLD_LOCAL_RANK") == "0":
        dist.all_reduce(tensor)  # expect: TL101


def mpich(tensor):
    if int(env["PMI_RANK"]) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def either(tensor):
    rank = int(os.environ.get("RANK", os.environ.get("SLURM_PROCID", 0)))
    if rank == 0:
        dist.all_reduce(tensor)  # expect: TL101


def whichever_is_set(tensor):
    if "RANK" in os.environ:
        rank = int(os.environ["RANK"])
    elif "SLURM_PROCID" in os.environ:
        rank = int(os.environ["SLURM_PROCID"])
    else:
        rank = 0
    if rank == 0:
        dist.all_reduce(tensor)  # expect: TL101


def fallback(tensor):
    try:
        rank = int(os.environ["RANK"])
    except KeyError:
        rank = 0
    if rank == 0:
        dist.all_reduce(tensor)  # expect: TL101


def local_zero_of_torchrun(tensor):
    if int(os.environ.get("LOCAL_RANK", 0)) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def launched_at_all(tensor):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        dist.all_reduce(tensor)


def several(tensor):
    if int(os.environ.get("WORLD_SIZE", 1)) > 1:
        dist.all_reduce(tensor)


def set_or_not(tensor):
    if os.environ.get("LOCAL_RANK") is not None:
        dist.all_reduce(tensor)


def minus_one_is_alone(tensor):
    if int(os.environ.get("RANK", -1)) != -1:
        dist.all_reduce(tensor)


def several_tasks(tensor):
    if int(os.environ["SLURM_NTASKS"]) > 1:
        dist.all_reduce(tensor)


def master_address(tensor):
    if os.environ.get("MASTER_ADDR") == "localhost":
        dist.all_reduce(tensor)


def a_dict_of_settings(tensor):
    if DEFAULTS["RANK"] == "0":
        dist.all_reduce(tensor)
