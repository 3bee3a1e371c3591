"""What bounds the gradients."""

from torch.nn.utils import clip_grad_value_


def limit(net, value):
    clip_grad_value_(net.parameters(), value)  # expect: TL420
