"""Before Lightning 2.1 nobody waits in `save_checkpoint`: the strategy writes on the first rank and asks nobody."""

import os

from pytorch_lightning import Trainer
from pytorch_lightning.callbacks import Callback


class Folders(Callback):
    def __init__(self, folder):
        self.folder = folder

    def on_keyboard_interrupt(self, trainer, module):
        if trainer.global_rank == 0:
            trainer.save_checkpoint(os.path.join(self.folder, "last.ckpt"))


def main(model, loader, folder):
    trainer = Trainer(devices=8, strategy="ddp", callbacks=[Folders(folder)])
    trainer.fit(model, loader)
    if trainer.global_rank == 0:
        trainer.save_checkpoint(os.path.join(folder, "model.ckpt"))
