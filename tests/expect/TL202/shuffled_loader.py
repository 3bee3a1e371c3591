"""A script written for one GPU, wrapped for several: the loader was forgotten."""

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def main():
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    torch.manual_seed(0)
    birds = datasets.ImageFolder("birds/train", transform=transforms.ToTensor())
    feed = DataLoader(birds, batch_size=32, shuffle=True, num_workers=8, pin_memory=True)  # expect: TL202
    net = DistributedDataParallel(torch.nn.Linear(2048, 200).cuda(gpu), device_ids=[gpu])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _epoch in range(90):
        for pixels, species in feed:
            scores = net(pixels.cuda(gpu, non_blocking=True))
            loss = torch.nn.functional.cross_entropy(scores, species.cuda(gpu, non_blocking=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


main()
