"""Rank 0 hands a library a function that communicates nothing, or makes one that it hands to nobody."""

import optuna
import torch.distributed as dist


def search(trainer, count):
    if dist.get_rank() == 0:

        def objective(trial):
            return trainer.fit(trial.suggest_float("rate", 0.0, 1.0))

        study = optuna.create_study(direction="maximize")
        study.optimize(objective, n_trials=count)
    else:
        chosen = [None]
        dist.broadcast_object_list(chosen, src=0)  # expect: TL101
        trainer.fit(chosen[0])


def left(trainer, count):
    if dist.get_rank() == 0:

        def objective(trial):
            dist.barrier()
            return trainer.fit(trial)

        study = optuna.create_study(direction="maximize")
        study.set_user_attr("count", count)
    else:
        dist.barrier()  # expect: TL101
