import torch


class Learner:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def update(self, batch):
        self.model.train()
        self.optimizer.zero_grad()
        self.model(batch).sum().backward()
        self.optimizer.step()

    def predict(self, batch):
        self.model.eval()
        return self.model(batch).argmax(1).tolist()  # expect: TL303


class Quiet(Learner):
    def predict_quietly(self, batch):
        self.model.eval()
        return self.model(batch).argmax(1).tolist()


def evaluate(learner, loader):
    found = []
    for batch in loader:
        found += learner.predict(batch)
    return found


def serve(learner, loader):
    with torch.no_grad():
        return [learner.predict(batch) for batch in loader]


def only_served(learner, loader):
    with torch.no_grad():
        return [learner.predict_quietly(batch) for batch in loader]


def main(model, optimizer, loader):
    learner, quiet = Learner(model, optimizer), Quiet(model, optimizer)
    for batch in loader:
        learner.update(batch)
        quiet.update(batch)
    return evaluate(learner, loader), serve(learner, loader), only_served(quiet, loader)
