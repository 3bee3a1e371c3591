"""The keys are named by methods, so that a slip in one place is not seen in the other."""

import torch


class Keys:
    def __init__(self, prefix):
        self._optimizer = "optim"
        self.prefix = prefix

    @property
    def optimizer(self):
        return self._optimizer


def key_of_model():
    return "model"


def train(args, model, optimizer, loader):
    keys = Keys("run")
    checkpoint = torch.load(args.resume, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint[key_of_model()])
    optimizer.load_state_dict(checkpoint[keys.optimizer])  # expect: TL604
    for epoch in range(checkpoint["epoch"], args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        state = {key_of_model(): model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}
        torch.save(state, args.output)
