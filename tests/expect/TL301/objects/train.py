from logs import History


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.losses = []
        self.history = History()

    def train_step(self, batch):
        loss = self.model(batch).loss
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.losses.append(loss)  # expect: TL301
        self.history.push(loss)  # expect: TL301
        self.history.log("loss", loss)  # expect: TL301
        self.history.push_number(loss)
        return loss

    def fit(self, loader):
        seen = []
        for batch in loader:
            seen.append(self.train_step(batch))  # expect: TL301
        return seen


def one_batch(model, batch, optimizer, losses):
    loss = model(batch)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    losses.append(loss)  # expect: TL301


def one_epoch(model, loader, optimizer):
    losses = []
    for batch in loader:
        one_batch(model, batch, optimizer, losses)
    return losses


step_losses = []


def closure_style(model, loader, optimizer):
    for batch in loader:
        loss = model(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step_losses.append(loss)  # expect: TL301
