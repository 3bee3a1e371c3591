"""As in pytorch/fairseq and NVIDIA/DeepLearningExamples."""


class Trainer:
    def __init__(self, model, optimizers):
        self.model, self.optimizers = model, optimizers

    def zero(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=False)  # expect: TL308

    def step(self, loss):
        self.model.zero_grad(set_to_none=False)  # expect: TL308
        loss.backward()
        for optimizer in self.optimizers:
            optimizer.step()
