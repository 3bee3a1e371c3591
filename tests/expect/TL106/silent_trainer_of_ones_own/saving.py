import torch.distributed as dist


def save(trainer, paths):
    if dist.get_rank() != 0:
        return
    for path in paths:
        trainer.save_checkpoint(path)
