# As in jingyaogong/minimind (experts), huggingface/nanoVLM (rotary embedding), huggingface/lerobot (a loop until a time is reached).
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from transformers import PreTrainedModel


class Rotary(nn.Module):
    def __init__(self, dim, longest):
        super().__init__()
        self.longest = longest
        self.register_buffer("inv_freq", 1.0 / 10000 ** (torch.arange(0, dim, 2).float() / dim))

    @torch.no_grad()
    def forward(self, position_ids: torch.Tensor):
        max_seq = position_ids.max() + 1  # expect: TL560
        if max_seq > self.longest:
            inv_freq = self.inv_freq / (max_seq / self.longest)
        else:
            inv_freq = self.inv_freq
        return torch.cos(position_ids.float().unsqueeze(-1) * inv_freq)


class Experts(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.gate = nn.Linear(config.width, config.experts)
        self.experts = nn.ModuleList([nn.Linear(config.width, config.width) for _ in range(config.experts)])

    def forward(self, x):
        weight, index = torch.topk(F.softmax(self.gate(x), dim=-1), k=1, dim=-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = index == i
            if mask.any():  # expect: TL560
                y = y + expert(x) * weight
        return y


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.rotary = Rotary(config.width, config.longest)
        self.mlp = Experts(config) if config.use_experts else nn.Linear(config.width, config.width)

    def forward(self, x, positions=None):
        return self.mlp(x * self.rotary(torch.arange(x.shape[1], device=x.device)))


class Model(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.layers = nn.ModuleDict(dict(h=nn.ModuleList([Layer(config) for _ in range(config.depth)])))

    def forward(self, x):
        for layer in self.layers.h:
            x = layer(x)
        return x

    @torch.compile(mode="max-autotune")
    def sample(self, x, steps: int):
        dt = torch.tensor(-1.0 / steps)
        time = torch.tensor(1.0)
        while time >= -dt / 2:  # expect: TL560
            x = x + dt * self(x)
            time = time + dt
        return x


def make(config):
    model = Model(config)
    return model.to(config.device), config.name


def main(args, config, rank):
    model, name = make(config)
    if args.use_compile:
        model = torch.compile(model)
    model = DistributedDataParallel(model, device_ids=[rank])
    return model, name
