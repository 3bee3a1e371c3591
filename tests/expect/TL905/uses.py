"""Old names as they are written: dmlc/dgl, facebookresearch/fairseq, KaiyangZhou/deep-person-reid, princeton-nlp/LESS, coqui-ai/TTS."""

import functools

import torch
import torch as T
import torch.distributed.checkpoint as dist_cp
import torch.nn.functional as F
from functorch import grad, make_functional_with_buffers, vmap
from torch import nn
from torch.nn.utils import clip_grad_norm, weight_norm
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.testing import assert_allclose  # expect: TL905


class Wave(nn.UpsamplingBilinear2d):  # expect-likely: TL905
    def __init__(self, channels):
        super().__init__(scale_factor=2)
        self.conv = weight_norm(nn.Conv1d(channels, channels, 1))  # expect: TL905

    def forward(self, x, y):
        x = F.upsample(self.conv(x), size=y.shape[2:], mode="bilinear", align_corners=True)  # expect: TL905
        return F.upsample_bilinear(x, scale_factor=2)  # expect: TL905


def step(model, optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    clip_grad_norm(model.parameters(), 1.0)  # expect: TL905
    optimizer.step()
    torch.cuda.reset_max_memory_allocated()  # expect: TL905


def samples(model, x):
    function, parameters, buffers = make_functional_with_buffers(model)  # expect: TL905
    return vmap(grad(function), (None, None, 0))(parameters, buffers, x)  # expect: TL905, TL905


def schedule(optimizer, factor):
    options = {"patience": 3}
    return ReduceLROnPlateau(optimizer, factor=factor, verbose=True, **options)  # expect: TL905


def save(state, writer, x):
    dist_cp.save_state_dict(state, writer)  # expect: TL905
    quietly = T.norm(x, dim=1)  # expect-likely: TL905
    return quietly, T.solve(x, x)[0], F.nll_loss(x, x, size_average=True)  # expect: TL905, TL905


@functools.lru_cache
def ticks(n):
    return torch.range(0, n - 1, device="cuda")  # expect: TL905


def spectrum(signal):
    return torch.fft(signal, 1), torch.rfft(signal, 1, onesided=False)  # expect: TL905, TL905
