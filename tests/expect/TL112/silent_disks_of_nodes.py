"""Local rank 0 of every node copies the data to the disk of its node, and says so there."""

import os
import subprocess

import torch.distributed as dist


def copied(root, job, local_rank):
    target = f"/scratch/{job}/"
    if local_rank == 0:
        subprocess.run(["tar", "-xf", os.path.join(root, "images.tar"), "-C", target], check=True)
        with open(os.path.join(target, "done.txt"), "w") as mark:
            mark.write("yes")
    return target


def copy_to_local_disk(root, name, target):
    if int(os.environ["LOCAL_RANK"]) == 0:
        with open(os.path.join(target, name), "wb") as copy:
            copy.write(open(os.path.join(root, name), "rb").read())


def main(args):
    dist.init_process_group("nccl")
    print(dist.get_rank())
    copied(args.root, args.job, int(os.environ["LOCAL_RANK"]))
    copy_to_local_disk(args.root, "labels.bin", args.target)
    dist.barrier()
