"""What ranks miss on one side of a `with`, and do not run on the other; what a method sets anew."""

import torch.distributed as dist


class Waits:
    def __enter__(self):
        self.leads = True
        self.leads = dist.get_rank() == 0
        return self

    def __exit__(self, kind, error, trace):
        if self.leads:
            dist.barrier()  # expect: TL101


def save(model):
    with Waits():
        model.save()
