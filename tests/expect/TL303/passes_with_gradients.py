"""Evaluation with gradients on: a method that a training loop calls, a test function, a benchmark, an iteration-wise runner."""

import contextlib
import time

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer, loss):
        self.model, self.optimizer, self.loss = model, optimizer, loss

    def train(self, batches, held_out, steps, every):
        self.model.train()
        for step, batch in enumerate(batches):
            loss = self.loss(self.model(batch["x"]), batch["y"])
            self.model.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % every == 0:
                print(self.validate(held_out))
            if step == steps:
                break

    def validate(self, held_out):
        self.model.eval()
        stats = []
        for batch in held_out:
            out = self.model(batch["x"])  # expect: TL303
            stats.append(self.loss(out, batch["y"]).item())
        self.model.train()
        return stats


def perform_test(loader, model, meter):
    model.eval()
    meter.start()
    for index, (clips, labels) in enumerate(loader):
        if isinstance(clips, list):
            scores = model([clip.cuda() for clip in clips])  # expect: TL303
        else:
            scores = model(clips.cuda())
        meter.update(scores.detach().cpu(), labels, index)
    meter.finish()


def throughput(build, sizes):
    net = build().cuda()
    net.eval()
    for size in sizes:
        images = torch.randn(size, 3, 224, 224, device="cuda")
        begin = time.time()
        for _ in range(100):
            net(images)  # expect: TL303
        torch.cuda.synchronize()
        print(size, 100 * size / (time.time() - begin))


class Runner:
    def __init__(self, model):
        self.model = model
        self.hooks = []

    def call_hooks(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def val(self, batches):
        self.model.eval()
        self.call_hooks("before_val")
        batch = next(batches)
        self.outputs = self.model.val_step(batch)  # expect: TL303
        self.call_hooks("after_val")

    def run(self, batches, flow):
        getattr(self, flow)(batches)


def epochs(net, train_data, dev_data, optimizer):
    for epoch in range(20):
        net.train()
        for x, y in train_data:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        right = 0
        for x, y in dev_data:
            right += (net(x).argmax(1) == y).sum().item()  # expect: TL303
        print(right / len(dev_data))


if __name__ == "__main__":
    throughput(torch.nn.Identity, [1, 8])
    perform_test([], torch.nn.Identity(), None)
    epochs(torch.nn.Identity(), [], [], None)


@contextlib.contextmanager
def evaluating(net):
    was = net.training
    net.eval()
    try:
        yield net
    finally:
        net.train(was)


def mean_loss(net, batches, loss):
    with evaluating(net):
        return sum(loss(net(x), y).item() for x, y in batches) / len(batches)  # expect: TL303


def mean_loss_without(net, batches, loss):
    with evaluating(net), torch.no_grad():
        return sum(loss(net(x), y).item() for x, y in batches) / len(batches)


def fit_and_measure(net, batches, held_out, loss, optimizer):
    for x, y in batches:
        optimizer.zero_grad()
        loss(net(x), y).backward()
        optimizer.step()
    return mean_loss(net, held_out, loss), mean_loss_without(net, held_out, loss)
