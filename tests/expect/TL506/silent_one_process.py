"""One process; nothing starts it; a loop that was not handed over."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp


def train(index, loader):
    device = xm.xla_device()
    model = torch.nn.Linear(4, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()


def debugged(index):
    train(index, [torch.ones(2, 4)])


if __name__ == "__main__":
    xmp.spawn(train, args=([torch.ones(2, 4)],), nprocs=1)
    torch_xla.launch(debugged, debug_single_process=True)
