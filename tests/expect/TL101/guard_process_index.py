"""`process_index`, as accelerate and JAX call it."""

import jax
from accelerate import Accelerator
from jax.experimental import multihost_utils

accelerator = Accelerator()


def gather_predictions(logits):
    if accelerator.process_index == 0:
        logits = accelerator.gather_for_metrics(logits)  # expect: TL101
    return logits


def nested_state(logits):
    if accelerator.state.process_index == 0:
        logits = accelerator.reduce(logits)  # expect: TL101
    return logits


def publish(checkpoint_dir):
    if jax.process_index() == 0:
        checkpoint_dir.mkdir()
        multihost_utils.sync_global_devices("published")  # expect: TL101
