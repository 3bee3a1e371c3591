"""A test of software: as in huggingface/accelerate."""

import unittest

import torch


class TestLoading(unittest.TestCase):
    def test_loads(self):
        self.assertEqual(torch.load("state.pt"), {})
