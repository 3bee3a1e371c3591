import os

import torch.distributed as dist


def main(net):
    os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,2,3"
    dist.init_process_group("nccl")
    return net.to("cuda:0")  # expect: TL907
