import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def training_step(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(batch)
        loss.backward()
        self.optimizer.step()
        return loss.detach()


class Average:
    """Of the weights; it frees memory at the end of each update."""

    def __init__(self, parameters):
        self.shadow = [parameter.clone() for parameter in parameters]

    def step(self, parameters):
        for shadow, parameter in zip(self.shadow, parameters):
            shadow.lerp_(parameter, 0.01)
        torch.cuda.empty_cache()  # expect: TL305

    def copy_to(self, parameters):
        for shadow, parameter in zip(self.shadow, parameters):
            parameter.copy_(shadow)
        torch.cuda.empty_cache()


class Reporter:
    def report(self, loss):
        print(loss)
        torch.cuda.empty_cache()
