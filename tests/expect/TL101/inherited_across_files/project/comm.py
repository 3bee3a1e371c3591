import torch.distributed as dist


def get_rank() -> int:
    if not dist.is_available():
        return 0
    if not dist.is_initialized():
        return 0
    return dist.get_rank()


def merge_objects(item):
    if not dist.is_initialized():
        return [item]
    gathered = [None for _ in range(dist.get_world_size())]
    dist.all_gather_object(gathered, item)
    return gathered
