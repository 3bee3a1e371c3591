import torch.distributed as dist


def rank_of_this_process():
    return dist.get_rank() if dist.is_initialized() else 0


def is_main():
    return rank_of_this_process() == 0


def wait_all():
    if dist.is_initialized():
        dist.barrier()


def all_reduce_mean(tensor):
    if not dist.is_initialized():
        return tensor
    dist.all_reduce(tensor)
    return tensor / dist.get_world_size()
