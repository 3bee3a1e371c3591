"""What bounds the gradients."""

from torch.nn.utils import clip_grad_value_


class Clipping:
    def limit(self, value):
        clip_grad_value_(self.net.parameters(), value)  # expect: TL420
