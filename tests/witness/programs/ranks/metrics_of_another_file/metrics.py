import torch
import torch.distributed as dist


class Mean:
    def __init__(self):
        self.total = torch.zeros(2)

    def add(self, value):
        self.total += torch.tensor([value, 1.0])

    def everywhere(self):
        dist.all_reduce(self.total)  # stuck: 0
        return (self.total[0] / self.total[1]).item()


def summary(mean):
    return {"loss": mean.everywhere()}
