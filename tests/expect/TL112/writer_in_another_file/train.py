import torch.distributed as dist
from saving import Saver, dump


def main(model, args):
    dist.init_process_group("nccl")
    saver = Saver(args.output_dir)
    for epoch in range(args.epochs):
        saver.keep(model, epoch)
    dump({"epochs": args.epochs}, args.output_dir)
