import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from nets import Tagger
from torch.nn.parallel import DistributedDataParallel


def masked_loss(scores, labels):
    known = labels >= 0
    return torch.nn.functional.cross_entropy(scores[known], labels[known])  # expect: TL502


def main(loader, width):
    device = xm.xla_device()
    model = DistributedDataParallel(Tagger(width).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for step, batch in enumerate(pl.MpDeviceLoader(loader, device)):
            scores, *_ = model(batch["x"])
            loss = masked_loss(scores, batch["y"])
            optimizer.zero_grad()
            loss.backward()
            xm.optimizer_step(optimizer)
