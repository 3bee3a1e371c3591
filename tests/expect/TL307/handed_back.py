"""What a model returned is looked at by a function on its way into the state."""


def checked(state):
    return state


def cut(state):
    return state.detach()


class Trainer:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.state = None

    def fit(self, chunks):
        self.model.train()
        for x, y in chunks:
            out, hidden = self.model(x, checked(self.state))
            self.state = checked(hidden)  # expect: TL307
            self.optimizer.zero_grad()
            self.criterion(out, y).backward(retain_graph=True)
            self.optimizer.step()


class Truncated:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.carried = None

    def fit(self, chunks):
        self.model.train()
        for x, y in chunks:
            out, hidden = self.model(x, checked(self.carried))
            self.carried = cut(hidden)
            self.optimizer.zero_grad()
            self.criterion(out, y).backward()
            self.optimizer.step()
