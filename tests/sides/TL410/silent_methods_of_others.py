"""A method of this file that is only called like the softmax."""

import torch.nn.functional as F


class Softmax:
    def softmax(self, x):
        return x * 2


def of_another_object(x, y):
    return F.cross_entropy(Softmax().softmax(x), y)
