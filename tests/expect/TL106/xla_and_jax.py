"""TPUs: the save of torch_xla syncs on every core, Orbax waits for all processes."""

import jax
import orbax.checkpoint as ocp
import torch_xla.core.xla_model as xm


def save(model, path):
    if xm.is_master_ordinal():
        xm.save(model.state_dict(), path)  # expect: TL106


def keep(step, state, folder):
    manager = ocp.CheckpointManager(folder)
    if jax.process_index() == 0:
        manager.save(step, args=ocp.args.StandardSave(state))  # expect: TL106


def keep_tree(state, path):
    checkpointer = ocp.PyTreeCheckpointer()
    if jax.process_index() != 0:
        return
    checkpointer.save(path, state)  # expect: TL106
