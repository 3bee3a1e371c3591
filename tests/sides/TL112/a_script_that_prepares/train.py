"""The script makes the folder, then its main function makes the trainer, which joins the job three calls further down."""

import torch.distributed as dist
from options import read
from trainer import Trainer


def main(args):
    Trainer().train(args)
    print(f"rank {dist.get_rank()} is done")


if __name__ == "__main__":
    main(read())
