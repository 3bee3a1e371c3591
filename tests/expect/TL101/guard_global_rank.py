"""`global_rank`, `get_global_rank()`, `is_global_zero`: Composer, Lightning, Fabric."""

import lightning as L
import torch.distributed as dist
from composer.utils import dist as composer_dist


def composer_style(loss):
    if composer_dist.get_global_rank() == 0:
        dist.all_reduce(loss)  # expect: TL101


def composer_local(loss):
    if composer_dist.get_local_rank() == 0:
        dist.all_reduce(loss)  # expect: TL101


class TokenCounter(L.Callback):
    def on_validation_end(self, trainer, pl_module):
        if trainer.global_rank == 0:
            dist.all_reduce(pl_module.tokens)  # expect: TL101

    def on_train_end(self, trainer, pl_module):
        if trainer.is_global_zero:
            trainer.strategy.barrier()  # expect: TL101


class Classifier(L.LightningModule):
    def on_validation_epoch_end(self):
        if self.global_rank == 0:
            self.scores = self.all_gather(self.scores)  # expect: TL101

    def on_test_epoch_end(self):
        if self.trainer.is_global_zero:
            self.trainer.strategy.barrier("tested")  # expect: TL101


def pretrain(fabric: L.Fabric, tokens):
    if fabric.global_rank == 0:
        tokens = fabric.all_gather(tokens)  # expect: TL101
    return tokens


def finish(fabric: L.Fabric):
    if fabric.is_global_zero:
        fabric.barrier()  # expect: TL101
