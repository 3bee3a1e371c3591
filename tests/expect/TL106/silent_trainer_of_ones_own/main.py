import registry
from saving import save
from trainer import Trainer

registry.register("plain", Trainer)


def fit(trainer, batches, paths):
    for batch in batches:
        trainer.step(batch)
    save(trainer, paths)


def main(name, batches, paths):
    fit(registry.build(name), batches, paths)
