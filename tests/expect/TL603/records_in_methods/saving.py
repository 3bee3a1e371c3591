"""A method, or a function of another file, decides by the best result so far."""

import torch


def write(trainer, path):
    state = {
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "epoch": trainer.epoch,
        "best_loss": trainer.best_loss,
    }
    torch.save(state, path)


def restore(trainer, path):
    state = torch.load(path, map_location="cpu")
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    trainer.best_loss = state["best_loss"]
    return state["epoch"]


def keep_best(trainer, score):
    if score > trainer.best_score:
        trainer.best_score = score
        write(trainer, "best_score.pt")  # expect-likely: TL603
