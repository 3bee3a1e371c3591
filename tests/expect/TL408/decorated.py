"""A forward pass that opens the context for itself; a GAN whose critic gives probabilities."""

import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.cuda.amp import autocast


class Ranker(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.out = nn.Linear(width, 1)

    @autocast()
    def forward(self, features, clicks):
        scores = torch.sigmoid(self.out(features)).squeeze(-1)
        return F.binary_cross_entropy(scores, clicks)  # expect: TL408


@contextlib.contextmanager
def mixed(args):
    with torch.amp.autocast(device_type="cuda", dtype=torch.bfloat16 if args.bf16 else torch.float16):
        yield


def adversarial(critic, generator, noise, real, args):
    adversarial_loss = torch.nn.BCELoss().cuda()
    with mixed(args):
        fake = generator(noise)
        wanted = torch.ones(len(noise), 1, device="cuda")
        for_generator = adversarial_loss(critic(fake), wanted)  # expect: TL408
    for_critic = adversarial_loss(critic(real).float(), wanted)
    return for_generator, for_critic
