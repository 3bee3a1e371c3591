"""As in torchtitan's meta device guide (a pretrained model's state), averages and reference models (shards for a plain one)."""

from torch import nn
from torch.distributed.checkpoint.state_dict import get_model_state_dict
from torch.distributed.fsdp import fully_shard


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.head = nn.Linear(width, width)

    def forward(self, x):
        return self.head(x)


def pretrained(width, mesh):
    source = Net(width)
    model = Net(width)
    fully_shard(model, mesh=mesh)
    model.load_state_dict(source.state_dict())  # expect: TL119
    return model


class Distillation:
    def __init__(self, width, mesh):
        self.student = Net(width)
        self.teacher = Net(width)
        fully_shard(self.student, mesh=mesh)

    def refresh(self):
        self.teacher.load_state_dict(get_model_state_dict(self.student))  # expect: TL119
