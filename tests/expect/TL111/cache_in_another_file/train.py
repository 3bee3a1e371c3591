import torch.distributed as dist
from cache import Cache


def is_first():
    return dist.get_rank() == 0


def main(args, texts, tokenize):
    dist.init_process_group("nccl")
    cache = Cache(args.cache_dir)
    if is_first():
        cache.build(texts, tokenize)
    return cache.load()
