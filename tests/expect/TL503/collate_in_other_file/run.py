import torch_xla.core.xla_model as xm
from texts import texts
from torch_xla.distributed.parallel_loader import MpDeviceLoader


def main(model, optimizer, items):
    device = xm.xla_device()
    loader = MpDeviceLoader(texts(items, 16), device)
    for epoch in range(3):
        for batch in loader:
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            xm.optimizer_step(optimizer)
