# Modelled on: yunjey/pytorch-tutorial (an image is fitted to another one: nothing is drawn), huggingface/diffusers (sampling that
# is guided by gradients).
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()).eval()
content = torch.load("content.pt", weights_only=True)
target = content.clone().requires_grad_(True)
optimizer = torch.optim.Adam([target], lr=0.01)
with torch.no_grad():
    wanted = net(content)
for step in range(100):
    loss = (net(target) - wanted).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def guided(model, scheduler, image, wanted, steps):
    for t in range(steps):
        image = image.requires_grad_()
        guess = scheduler.step(model(image), t, image)
        loss = (guess - wanted).square().sum()
        loss.backward()
        image = (guess - image.grad).detach()
    return image


class Scheduler:
    def step(self, output, t, image):
        return image - output / (t + 1)


if __name__ == "__main__":
    guided(net, Scheduler(), torch.zeros(1, 3, 8, 8), wanted, 10)
