"""Lightning: Fabric, Trainer, the module's own rank, rank_zero_only and its attribute."""

import lightning as L
import torch.distributed as dist
from lightning.fabric import Fabric
from lightning.pytorch import Callback, LightningModule, Trainer
from lightning.pytorch.utilities import rank_zero_only
from pytorch_lightning.utilities.rank_zero import rank_zero_only as older_rank_zero_only


def by_fabric(tensor):
    fabric = Fabric(devices=2)
    if fabric.global_rank == 0:
        fabric.all_reduce(tensor)  # expect: TL101


def by_fabric_zero(tensor):
    fabric = L.Fabric(devices=2)
    if fabric.is_global_zero:
        fabric.barrier()  # expect: TL101


def by_fabric_local(tensor, fabric: Fabric):
    if fabric.local_rank == 0:
        fabric.broadcast(tensor)  # expect: TL101


def by_attribute_of_the_decorator():
    if rank_zero_only.rank == 0:
        dist.barrier()  # expect: TL101


def by_attribute_of_the_older_one():
    if older_rank_zero_only.rank != 0:
        dist.barrier()  # expect: TL101


class Probe(LightningModule):
    def on_train_epoch_end(self):
        if self.global_rank == 0:
            self.all_gather(self.value)  # expect: TL101

    def on_train_end(self):
        if self.trainer.is_global_zero:
            self.all_gather(self.value)  # expect: TL101

    def on_fit_end(self):
        if self.local_rank == 0:
            dist.barrier()  # expect: TL101

    @rank_zero_only
    def on_validation_end(self):
        dist.barrier()  # expect: TL101

    def on_test_end(self):
        gathered = self.all_gather(self.value)
        if self.trainer.is_global_zero:
            print(gathered)

    def on_predict_end(self):
        if self.trainer.world_size > 1:
            self.all_gather(self.value)


class Saving(Callback):
    def on_train_end(self, trainer, pl_module):
        if trainer.global_rank == 0:
            trainer.strategy.barrier()  # expect: TL101

    def on_fit_end(self, trainer, pl_module):
        if trainer.is_global_zero:
            print("done")
        trainer.strategy.barrier()


def whole_script():
    trainer = Trainer(devices=2)
    if trainer.local_rank == 0:
        trainer.strategy.barrier()  # expect: TL101


def in_turn(build, fabric: Fabric):
    with fabric.rank_zero_first():
        build()
