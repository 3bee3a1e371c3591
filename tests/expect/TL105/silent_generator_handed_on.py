"""One rank hands a generator to whoever sends its items, the others only go through it (huggingface/trl)."""

from accelerate import Accelerator


class Trainer:
    def __init__(self, model, transfer):
        self.accelerator = Accelerator()
        self.model = model
        self.transfer = transfer

    def weights(self):
        for name, parameter in self.model.named_parameters():
            yield name, parameter.full_tensor()

    def send(self):
        if self.accelerator.is_main_process and self.transfer:
            self.transfer.send_weights(self.weights())
        else:
            for _ in self.weights():
                pass
        self.accelerator.wait_for_everyone()
