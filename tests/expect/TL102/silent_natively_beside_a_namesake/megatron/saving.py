"""The project has a package with the name of the library, and calls the library's own function."""

import torch
from megatron import mpu


def save(step, model, optimizer, scheduler, args):
    if mpu.get_data_parallel_rank() == 0:
        from megatron.checkpointing import save_checkpoint as save_natively

        save_natively(step, model, optimizer, scheduler)
        return
    torch.save(model.state_dict(), args.part)
    torch.distributed.barrier()
