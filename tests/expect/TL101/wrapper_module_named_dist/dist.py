import torch.distributed as tdist


def is_primary():
    return get_rank() == 0


def get_rank():
    return tdist.get_rank() if tdist.is_initialized() else 0


def allreduce(tensor):
    tdist.all_reduce(tensor)


def log(text):
    print(text)
