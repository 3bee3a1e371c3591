"""Gradients that are looked at, or views: as in microsoft/DeepSpeed and NVIDIA/apex."""

from torch.nn.parallel import DistributedDataParallel


def train(model, loader, optimizer, flag):
    model = DistributedDataParallel(model, gradient_as_bucket_view=True)
    for x in loader:
        optimizer.zero_grad(set_to_none=False)
        optimizer.zero_grad(flag)
        model(x).sum().backward()
        optimizer.step()
