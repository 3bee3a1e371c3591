# As in karpathy/nanoGPT, pytorch/torchtitan, huggingface/pytorch-image-models, huggingface/diffusers: what the compiler takes in.
import logging
import math

import torch
import torch._dynamo
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

logger = logging.getLogger(__name__)


class Attention(nn.Module):
    def __init__(self, width, heads, flash=False):
        super().__init__()
        assert width % heads == 0
        self.qkv = nn.Linear(width, 3 * width)
        self.heads = heads
        self.flash = flash
        if not flash:
            print("slow attention")

    def forward(self, x, mask=None):
        b, t, c = x.size()
        q, k, v = self.qkv(x).split(c, dim=2)
        if self.flash:
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        if mask is not None and mask.dtype == torch.bool:
            scores = scores.masked_fill(mask[:, :t] == 0, float("-inf"))
        if torch.is_grad_enabled() and t > int(b):
            scores = scores.clamp(max=float(c))
        return F.softmax(scores, dim=-1) @ v


class Net(nn.Module):
    def __init__(self, width, debug):
        super().__init__()
        self.attention = Attention(width, 2)
        self.debug = debug
        self.cache = {}

    def forward(self, x, targets=None, scale=1.0, return_all=False):
        y = self.attention(x)
        if scale > 0 and not return_all:
            y = y * float(scale)
        if self.debug:
            logger.info("mean %s", y.mean().item())
        if targets is not None and len(targets.shape) == 3:
            logger.warning("targets of another shape")
        if dist.is_initialized() and x.requires_grad:
            y = y * dist.get_world_size()
        if isinstance(y, (tuple, list)):
            y = y[0]
        try:
            y = y.view(-1)
        except RuntimeError:
            print("not contiguous")
        if x.device != y.device or x.is_cuda:
            y = y.to(x.device)
        if torch._dynamo.is_compiling():
            return y
        return self.log(y)

    @torch.compiler.disable(recursive=False)
    def log(self, y):
        print(float(y.mean()))
        return y


def train(args, loader):
    net = Net(8, args.debug)
    if args.compile:
        net = torch.compile(net)
    for step, batch in enumerate(loader):
        loss = net(batch).mean()
        loss.backward()
        if step % 10 == 0:
            print(loss.item())


@torch.compile(disable=not torch.cuda.is_available())
def maybe(x: torch.Tensor):
    return x.sum().item()


@torch.compile(fullgraph=True, dynamic=False)
def whole(x: torch.Tensor):
    return x[x > 0].sum()
