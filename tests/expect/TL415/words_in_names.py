"""Loops over many things whose names have the words of a model's parts in them."""

import torch


def of_headlines(headlines, encode):
    total = torch.zeros(1, dtype=torch.float16, device="cuda")
    for headline in headlines:
        total += encode(headline).mean()  # expect: TL415
    return total


class Mean:
    def __init__(self):
        self.total = torch.tensor(0.0, dtype=torch.bfloat16)

    def over(self, loader, model, upscaled):
        for upscaled_image, _ in loader:
            self.total += model(upscaled_image, upscaled).mean()  # expect: TL415
        return self.total
