"""One function for one process and for many, in the way of the ImageNet example; cross-validation runs it five times."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def worker(gpu, args, net):
    if args.distributed:
        dist.init_process_group("nccl", rank=gpu, world_size=args.gpus)
        net = DistributedDataParallel(net.cuda(gpu), device_ids=[gpu])
    optimizer = torch.optim.SGD(net.parameters(), lr=args.rate)
    photos = ImageFolder(f"{args.folder}/train")
    loader = DataLoader(photos, batch_size=args.size, shuffle=True, pin_memory=True)  # expect: TL202
    for _ in range(args.epochs):
        for images, kinds in loader:
            loss = torch.nn.functional.cross_entropy(net(images.cuda(gpu)), kinds.cuda(gpu))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main(args, net):
    for fold in range(5):
        args.folder = f"part{fold}"
        if args.distributed:
            mp.spawn(worker, nprocs=args.gpus, args=(args, net))
        else:
            worker(args.gpu, args, net)
