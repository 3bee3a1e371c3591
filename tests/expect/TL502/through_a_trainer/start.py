"""Only here model and trainer meet."""

import torch_xla
from network import Network, Tidy
from trainer import Trainer


def run(index, settings, data):
    Trainer(Network(settings), data, settings.backend).train(3)
    Trainer(Tidy(settings), data, settings.backend).train(3)


def main(settings, data):
    torch_xla.launch(run, args=(settings, data))
