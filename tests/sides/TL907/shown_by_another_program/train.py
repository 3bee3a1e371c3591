import torch.distributed as dist


def main(net):
    dist.init_process_group("nccl")
    return net.to("cuda:0")  # expect: TL907
