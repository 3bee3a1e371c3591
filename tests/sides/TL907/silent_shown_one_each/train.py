import os

import torch.distributed as dist


def main(net):
    os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]
    dist.init_process_group("nccl")
    return net.to("cuda:0")
