"""The loop."""

from trainer import Trainer


def main(model, loader, accumulation):
    trainer = Trainer(model, accumulation)
    for number, batch in enumerate(loader, 1):
        trainer.accumulate(batch)
        if number % accumulation == 0:
            trainer.finish()
