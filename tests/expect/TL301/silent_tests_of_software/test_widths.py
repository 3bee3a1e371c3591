"""A class whose only test is called `test` (DeepSpeed)."""

import torch


class TestWidths(Distributed):  # noqa: F821
    def test(self):
        def run(width):
            model = torch.nn.Linear(4, width)
            for row in torch.randn(8, 4):
                loss = model(row).mean()
                loss.backward()
            return loss

        losses = []
        for width in (1, 2, 4):
            loss = run(width)
            losses.append(loss)
        assert all(torch.allclose(loss, losses[0]) for loss in losses)
