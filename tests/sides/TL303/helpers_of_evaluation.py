"""A helper that runs the model: how those who call it turn gradients off, or leave them on."""

import torch


def scores(model, batch):
    return model(batch).softmax(-1)  # expect: TL303


def evaluate(model, loader):
    model.eval()
    for batch in loader:
        print(scores(model, batch))


def quiet_scores(model, batch):
    with torch.no_grad():
        return model(batch).softmax(-1)


def evaluate_quietly(model, loader):
    model.eval()
    for batch in loader:
        print(quiet_scores(model, batch))


def scores_under_its_caller(model, batch):
    return model(batch).softmax(-1)


def evaluate_with_a_block(model, loader):
    model.eval()
    with torch.no_grad():
        for batch in loader:
            print(scores_under_its_caller(model, batch))


def evaluate_all(model, loader):
    model.eval()
    for batch in loader:
        print(model(batch).argmax(-1))


def main(model, loader):
    with torch.no_grad():
        evaluate_all(model, loader)


def evaluate_in_each_way(model, loader):
    model.eval()
    for batch in loader:
        print(model(batch).argmax(-1))


def with_and_without(model, loader, held_out):
    with torch.no_grad():
        evaluate_in_each_way(model, held_out)
    evaluate_in_each_way(model, loader)


def evaluate_next(model, batches):
    model.eval()
    batch = next(batches)
    print(model(batch).argmax(-1))  # expect: TL303


def peek(model, batches):
    model.eval()
    batch = next(batches)
    print(model(batch).argmax(-1))  # expect: TL303


def one_image(model, image):
    model.eval()
    print(model(image).argmax(-1))


class Trainer:
    def __init__(self, model):
        self.model = model

    def validate(self, loader):
        self.model.eval()
        for batch in loader:
            print(self.model(batch).argmax(-1))  # expect: TL303
        self.model.train()


class QuietTrainer:
    def __init__(self, model):
        self.model = model

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        for batch in loader:
            print(self.model(batch).argmax(-1))
        self.model.train()
