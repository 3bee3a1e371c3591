import torch


class Base:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model.cuda(), optimizer

    def backward_and_step(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Trainer(Base):
    def train_step(self, x, y):
        loss = torch.nn.functional.cross_entropy(self.model(x.cuda()), y.cuda())
        self.backward_and_step(loss)
        return loss.item()  # expect: TL801
