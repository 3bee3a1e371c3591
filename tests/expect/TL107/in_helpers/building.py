from torch.nn.parallel import DistributedDataParallel as Replicated


def build(make, device, distributed):
    model = make().to(device)
    if distributed:
        model = Replicated(model, device_ids=[device])
    return model


def plain(model):
    while isinstance(model, Replicated):
        model = model.module
    return model


def bare(model):
    return model.module if isinstance(model, Replicated) else model
