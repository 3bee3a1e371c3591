"""Some ranks leave through a function of a library that is full of collectives, which may be those of the others."""

import torch
from megatron import mpu


def save(step, model, optimizer, scheduler, args):
    if mpu.get_data_parallel_rank() == 0:
        from megatron.checkpointing import save_checkpoint as save_natively

        save_natively(step, model, optimizer, scheduler)
        return
    torch.save(model.state_dict(), args.part)
    torch.distributed.barrier()


def load(model, optimizer, scheduler, args):
    if mpu.get_data_parallel_rank() == 0:
        from megatron.checkpointing import load_checkpoint as load_natively

        return load_natively(model, optimizer, scheduler)
    model.load_state_dict(torch.load(args.part))
    torch.distributed.barrier()
    return 0
