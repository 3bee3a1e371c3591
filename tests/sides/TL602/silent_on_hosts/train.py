import torch
import torch.distributed as dist


def main(optimizer, path):
    dist.init_process_group(backend="gloo")
    optimizer.load_state_dict(torch.load(path, weights_only=True))
