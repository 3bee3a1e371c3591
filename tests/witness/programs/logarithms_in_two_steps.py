"""A correct program whose probabilities are never rounded to 0: its repair must give the same losses."""

import torch
import torch.nn.functional as F


def train(steps, scale=1.0):
    torch.manual_seed(0)
    layer = torch.nn.Linear(8, 5)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    samples, labels = torch.randn(32, 8), torch.randint(5, (32,))
    losses = []
    for _ in range(steps):
        logits = scale * layer(samples)
        loss = F.nll_loss(torch.log(F.softmax(logits, dim=1)), labels)  # expect: TL411
        probabilities = logits.softmax(-1)
        loss = loss + 0.1 * F.nll_loss(torch.log(probabilities), labels)  # expect: TL411
        loss = loss - 0.1 * torch.log(torch.sigmoid(logits[:, 0] - logits[:, 1])).mean()  # expect: TL411
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
