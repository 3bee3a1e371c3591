"""Modes by a method, for several networks, at the beginning of each pass."""


class Engine:
    def __init__(self, networks, optimizer):
        self._networks, self.optimizer = networks, optimizer

    def set_model_mode(self, mode="train", names=None):
        for name in names or list(self._networks):
            if mode == "train":
                self._networks[name].train()
            else:
                self._networks[name].eval()

    def run(self, loader, query_loader, epochs):
        for self.epoch in range(epochs):
            self.train(loader)
            if (self.epoch + 1) % 10 == 0:
                self.test(query_loader)

    def train(self, loader):
        self.set_model_mode("train")
        for batch in loader:
            self.forward_backward(batch)

    def test(self, loader):
        self.set_model_mode("eval")
        for batch in loader:
            self.extract(batch)
