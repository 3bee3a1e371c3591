import torch.distributed as dist
from options import read_for_the_other
from trainer import Trainer


def main(args):
    Trainer().train(args)
    print(f"rank {dist.get_rank()} is done")


if __name__ == "__main__":
    main(read_for_the_other())
