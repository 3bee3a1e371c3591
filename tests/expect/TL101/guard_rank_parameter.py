"""A worker started by mp.spawn gets its rank as the first parameter; helpers get it handed on."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def log_validation(rank, val_loss):
    if rank == 0:
        dist.reduce(val_loss, dst=0)  # expect: TL101
        print(f"validation: {val_loss.item():.3f}")


def run_worker(gpu, world_size, port):
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=gpu, world_size=world_size)
    torch.cuda.set_device(gpu)
    val_loss = torch.zeros(1, device=gpu)
    log_validation(gpu, val_loss)
    if gpu == 0:
        dist.barrier()  # expect: TL101


if __name__ == "__main__":
    mp.spawn(run_worker, args=(8, 29511), nprocs=8)
