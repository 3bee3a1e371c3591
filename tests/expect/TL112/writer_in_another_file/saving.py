import json
import os

import torch


class Saver:
    def __init__(self, folder):
        self.folder = folder

    def path(self, epoch):
        return os.path.join(self.folder, "model_%d.pt" % epoch)

    def keep(self, model, epoch):
        torch.save(model.state_dict(), self.path(epoch))  # expect: TL112


def dump(values, folder):
    with open(f"{folder}/values.json", "w") as file:  # expect: TL112
        json.dump(values, file)
