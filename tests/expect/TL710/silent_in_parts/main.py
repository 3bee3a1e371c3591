"""Runs the trainer, and steps its scheduler."""

from trainer import Trainer


def main(model, loader, epochs):
    trainer = Trainer(model)
    for _ in range(epochs):
        trainer.fit(loader)
        trainer.scheduler.step()
