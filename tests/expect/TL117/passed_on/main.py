import torch
from torch.nn.parallel import DistributedDataParallel

from train import evaluate, train_one_epoch


def main(args, build, train_loader, test_loader):
    model = build(args).cuda(args.gpu)
    model = DistributedDataParallel(model, device_ids=[args.gpu])
    optimizer = torch.optim.AdamW(model.module.parameters())
    for _ in range(args.epochs):
        train_one_epoch(model, train_loader, optimizer)
        with torch.no_grad():
            evaluate(model, test_loader)
