"""All that decides is in the checkpoint."""

import torch


def write(trainer, path):
    state = {
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "epoch": trainer.epoch,
        "best_loss": trainer.best_loss,
        "best_score": trainer.best_score,
    }
    torch.save(state, path)


def restore(trainer, path):
    state = torch.load(path, map_location="cpu")
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    trainer.best_loss, trainer.best_score = state["best_loss"], state["best_score"]
    return state["epoch"]


def keep_best(trainer, score):
    if score > trainer.best_score:
        trainer.best_score = score
        write(trainer, "best_score.pt")
