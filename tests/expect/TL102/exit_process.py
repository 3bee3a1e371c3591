"""Leaving the process instead of the function."""

import os
import sys
from sys import exit as leave

import torch.distributed as dist


def with_sys_exit(rank):
    if rank != 0:
        sys.exit(0)
    dist.barrier()  # expect: TL102


def with_builtin_exit(rank):
    if rank != 0:
        exit()
    dist.barrier()  # expect: TL102


def with_quit(rank):
    if rank != 0:
        quit()
    dist.barrier()  # expect: TL102


def with_os_exit(rank):
    if rank != 0:
        os._exit(0)
    dist.barrier()  # expect: TL102


def with_system_exit(rank):
    if rank != 0:
        raise SystemExit
    dist.barrier()  # expect: TL102


def with_system_exit_and_code(rank):
    if rank != 0:
        raise SystemExit(0)
    dist.barrier()  # expect: TL102


def with_imported_exit(rank):
    if rank != 0:
        leave()
    dist.barrier()  # expect: TL102


def stop_unless_leader(rank):
    if rank != 0:
        sys.exit()


def exit_in_a_helper(rank):
    stop_unless_leader(rank)
    dist.barrier()  # expect: TL102


def die(message):
    print(message)
    sys.exit(1)


def exit_through_a_helper(rank):
    if rank != 0:
        die("only one process, please")
    dist.barrier()  # expect: TL102


def main():
    rank = int(os.environ["RANK"])
    if rank == 0:
        print("exported")
        sys.exit(0)
    dist.barrier()  # expect: TL102


if __name__ == "__main__":
    main()
