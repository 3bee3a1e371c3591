"""The file switches the exchange by its attribute."""

from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, batches, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    for number, x in enumerate(batches):
        model.require_backward_grad_sync = number % 4 == 0
        loss = model(x).mean()
        with model.no_sync():
            loss.backward()
