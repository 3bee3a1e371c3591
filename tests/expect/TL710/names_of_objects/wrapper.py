class Wrapper:
    def __init__(self, model, optimizer, loader, schedule=None):
        self.model = model
        self.optimizer = optimizer
        self.loader = loader
        self.schedule = schedule

    def train(self):
        for batch in self.loader:
            self.model.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
        if self.schedule is not None:
            self.schedule.step()
