"""Lightning: Fabric's collectives, a strategy's barrier and reduce, a module's all_gather."""

import lightning as L
import lightning.pytorch as pl
from lightning.fabric import Fabric


def finetune(devices, loss):
    fabric = L.Fabric(devices=devices, strategy="ddp")
    fabric.launch()
    if fabric.global_rank == 0:
        loss = fabric.all_reduce(loss)  # expect: TL101
    return loss


def prepare(fabric: Fabric, repo):
    if fabric.local_rank == 0:
        repo.download()
        fabric.barrier("download")  # expect: TL101


def share(fabric: Fabric, seed):
    if fabric.is_global_zero:
        seed = fabric.broadcast(seed)  # expect: TL101
    return seed


class SpeechModule(pl.LightningModule):
    def on_train_epoch_end(self):
        if self.trainer.is_global_zero:
            gathered = self.all_gather(self.losses)  # expect: TL101
            print(gathered.mean())


class ExportCallback(pl.Callback):
    def on_fit_end(self, trainer, pl_module):
        if trainer.is_global_zero:
            trainer.strategy.barrier("export")  # expect: TL101

    def on_exception(self, trainer, pl_module, exception):
        if trainer.global_rank == 0:
            trainer.strategy.broadcast(str(exception), src=0)  # expect: TL101


def on_two_machines(loss):
    fabric = Fabric(devices=1, num_nodes=2)
    if fabric.global_rank == 0:
        loss = fabric.all_reduce(loss)  # expect: TL101
    return loss


def on_one_device(loss):
    fabric = Fabric(devices=1)
    if fabric.global_rank == 0:
        loss = fabric.all_reduce(loss)
    return loss
