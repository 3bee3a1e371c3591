"""Models that a function puts on the device, or takes off it, before they are saved."""
# Modelled on Lightning-AI/pytorch-lightning (tpu_accelerator).

import io

import fsspec
import torch
import torch_xla.core.xla_model as xm


def atomic_save(checkpoint, path):
    buffer = io.BytesIO()
    torch.save(checkpoint, buffer)  # expect: TL508
    with fsspec.open(path, "wb") as file:
        file.write(buffer.getvalue())


class Accelerator:
    def in_process(self, index, model, trainer, path):
        self._set_up(model, trainer)
        trainer.fit(model)
        self.save_weights(model, path)

    def _set_up(self, model, trainer):
        device = xm.xla_device(trainer.core) if trainer.core is not None else xm.xla_device()
        trainer.device = device
        model.to(trainer.device)

    def backward(self, loss):
        loss.backward()

    def save_weights(self, model, path):
        atomic_save(model.state_dict(), path)


def to_host(model):
    model.cpu()


def taken_off(model, path):
    model.to(xm.xla_device())
    to_host(model)
    torch.save(model.state_dict(), path)


def never_moved(model, path):
    describe(model)
    torch.save(model.state_dict(), path)


def describe(model):
    print(model, xm.xla_device())
