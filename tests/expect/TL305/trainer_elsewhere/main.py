import torch

from trainer import Trainer


def main(model, optimizer, loader):
    trainer = Trainer(model, optimizer)
    for batch in loader:
        trainer.training_step(batch.cuda())
        torch.cuda.empty_cache()  # expect: TL305
