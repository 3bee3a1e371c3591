"""As in pytorch/examples' T5 script without its policy: the stack is inside a part of the model."""

import torch
from torch import nn
from torch.distributed import fsdp


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.blocks = nn.ModuleList([nn.TransformerEncoderLayer(width, 4) for _ in range(12)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Classifier(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Encoder(width)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        return self.head(self.encoder(x))


class Trainer:
    def __init__(self, args):
        self.model = Classifier(args.width).to(args.device)

    def setup(self, args):
        self.model = fsdp.FullyShardedDataParallel(  # expect: TL120
            self.model,
            mixed_precision=fsdp.MixedPrecision(param_dtype=torch.bfloat16),
            auto_wrap_policy=None,
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)


def in_place(args, mesh):
    model = Classifier(args.width)
    fsdp.fully_shard(model, mesh=mesh, reshard_after_forward=True)  # expect: TL120
    return model
