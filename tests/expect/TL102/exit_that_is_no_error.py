"""A rank that is done ends well, and nobody ends the others."""

import sys

import torch.distributed as dist


def export_only(args, model):
    if args.export:
        if dist.get_rank() == 0:
            print(model)
            sys.exit(0)
    dist.barrier()  # expect: TL102


def export_and_leave(args, model):
    if args.export:
        if dist.get_rank() == 0:
            print(model)
            sys.exit()
    dist.barrier()  # expect: TL102


def export_with_status(args, model):
    if args.export:
        if dist.get_rank() == 0:
            raise SystemExit
    dist.barrier()  # expect: TL102
