"""Callbacks of which one ends the run before the other acts."""

import tensorflow as tf
from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import EarlyStopping, LearningRateMonitor
from tensorflow.keras.callbacks import EarlyStopping as KerasEarlyStopping
from tensorflow.keras.callbacks import ModelCheckpoint, ReduceLROnPlateau
from torch import optim


def named(model, x, y):
    checkpoint = ModelCheckpoint("best.h5", monitor="val_loss", save_best_only=True)
    early_stop = KerasEarlyStopping(monitor="val_loss", patience=5, verbose=1)
    reduce_lr = ReduceLROnPlateau(monitor="val_loss", factor=0.2, patience=5, min_lr=1e-6)  # expect: TL717
    return model.fit(x, y, validation_split=0.2, epochs=50, callbacks=[checkpoint, early_stop, reduce_lr])


def appended(model, x, y):
    callbacks = []
    callbacks.append(tf.keras.callbacks.EarlyStopping("val_accuracy", patience=10))
    callbacks.append(tf.keras.callbacks.ReduceLROnPlateau("val_accuracy", patience=15))  # expect: TL717
    model.fit(x, y, epochs=500, callbacks=callbacks)


def all_callbacks():
    return [
        tf.keras.callbacks.ReduceLROnPlateau(),  # expect: TL717
        tf.keras.callbacks.EarlyStopping(patience=10),
    ]


def from_a_helper(model, dataset, val):
    model.fit(dataset, validation_data=val, epochs=100, callbacks=all_callbacks())


def never_stops(model, dataset, val):
    stop = tf.keras.callbacks.EarlyStopping(patience=20)  # expect: TL717
    model.fit(dataset, validation_data=val, epochs=20, callbacks=[stop])


class Net(LightningModule):
    def configure_optimizers(self):
        optimizer = optim.Adam(self.parameters())
        lr_scheduler = {
            "scheduler": optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=5),  # expect: TL717
            "monitor": "val/loss",
        }
        return [optimizer], [lr_scheduler]


def main(data):
    model = Net()
    callbacks = [EarlyStopping("val/loss", patience=5), LearningRateMonitor()]
    trainer = Trainer(max_epochs=200, callbacks=callbacks)
    trainer.fit(model, datamodule=data)
