"""Some ranks leave, and no library comes between; or all ranks have called it before."""

import torch
from megatron import mpu
from megatron.checkpointing import save_checkpoint as save_natively


def save(step, model, optimizer, scheduler, args):
    save_natively(step, model, optimizer, scheduler)
    if mpu.get_data_parallel_rank() == 0:
        print("saved", mpu.get_data_parallel_rank())
        return
    torch.save(model.state_dict(), args.part)
    torch.distributed.barrier()  # expect: TL102


def alone(step, model, optimizer, scheduler):
    if torch.distributed.get_rank() != 0:
        return
    save_natively(step, model, optimizer, scheduler)
    torch.distributed.barrier()  # expect: TL102
