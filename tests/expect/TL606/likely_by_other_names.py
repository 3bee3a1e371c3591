"""What is saved as it is, and is a module in one of several cases, or by what is done with it under another name."""
# Modelled on pytorch/examples, determined-ai/determined, autogluon/autogluon.

import torch
from nets import make
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(x)


def one_of_several(args):
    if args.resume:
        model = torch.load(args.resume, weights_only=False)
    else:
        model = Classifier()
    torch.save(model, args.path)  # expect-likely: TL606


def states(args, model):
    best = model.state_dict() if args.best else None
    torch.save(best, args.path)


def main(args):
    net = make(args)
    optimizer = torch.optim.Adam(net.parameters())
    save_checkpoint(net, optimizer, args.folder)


def save_checkpoint(thing, optimizer, folder):
    torch.save(thing, folder + "/model.pt")  # expect-likely: TL606
    torch.save(optimizer.state_dict(), folder + "/optimizer.pt")


model = Classifier().to("cuda")


def checkpoint(epoch):
    torch.save(model, f"model_epoch_{epoch}.pth")  # expect: TL606


def scripted(args):
    model = torch.jit.script(Classifier()) if args.script else Classifier()
    torch.save(model, args.path)


def spelled(folder):
    torch.save({"arch": str(model), "state": model.state_dict()}, folder + "/checkpoint.pt")
