import torch.distributed as dist
from saving import Saver, save_on_first


def main(model, args):
    dist.init_process_group("nccl")
    saver = Saver(args.output_dir, main=dist.get_rank() == 0)
    for epoch in range(args.epochs):
        saver(model, epoch)
        save_on_first(model.state_dict(), args.output_dir + "/last.pt")
