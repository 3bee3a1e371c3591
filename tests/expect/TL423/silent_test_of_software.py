"""A test of software compares gradients: two programs that both compute in float16 have lost the same."""

import unittest

import torch


class TestFused(unittest.TestCase):
    def test_gradients(self):
        with torch.autocast("cuda"):
            out = self.fused(self.x)
            expected = self.plain(self.y)
        out.sum().backward()
        expected.sum().backward()
        assert torch.allclose(self.x.grad, self.y.grad)
        first = torch.autograd.grad(self.fused(self.x).sum(), self.x)[0]
        assert torch.isfinite(first).all()
