import setup


class Trainer:
    def __init__(self, loader, parts=setup):
        self.loader = loader
        self.parts = parts

    def train(self):
        for batch in self.loader:
            self.parts.model.zero_grad()
            self.parts.model(batch).mean().backward()
            self.parts.optimizer.step()
        self.parts.schedule.step()
