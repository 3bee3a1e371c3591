"""Not all that is saved is known, but one key is spelt nearly like the one that is read, and nobody reads that."""

import torch


def save(run, path, more):
    state = {"epoch": run.epoch, "optimizer": run.optimizer.state_dict(), "best_metric": run.best}
    state.update(more)
    torch.save(state, path)


def resume(run, path):
    state = torch.load(path, map_location="cpu")
    run.optimizer.load_state_dict(state["optimizer"])
    run.epoch = state["epoch"] + 1
    run.best = state["best_metrics"]  # expect-likely: TL604


def resume_more(run, path):
    state = torch.load(path, map_location="cpu")
    run.optimizer.load_state_dict(state["optimizer"])
    run.epoch = state["epoch"] + 1
    run.best = state["best_metric"]
    run.other = state["vocabulary"]
