"""The name for what is saved, used for what is trained."""

import torch


def main(args, make, criterion, loader):
    model = make(args)
    model.to(args.device)
    model_without_ddp = model
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu])
    optimizer = torch.optim.SGD(model_without_ddp.parameters(), lr=args.lr)
    for samples, targets in loader:
        outputs = model_without_ddp(samples)  # expect: TL117
        losses = criterion(outputs, targets)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
    return model
