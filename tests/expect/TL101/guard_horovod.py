"""Horovod: `hvd.rank()`, also of the TensorFlow flavour."""

import horovod.tensorflow as hvd_tf
import horovod.torch as hvd


def start(model, optimizer):
    hvd.init()
    if hvd.rank() == 0:
        hvd.broadcast_parameters(model.state_dict(), root_rank=0)  # expect: TL101
        hvd.broadcast_optimizer_state(optimizer, root_rank=0)


def average(metric):
    if hvd.rank() == 0:
        metric = hvd.allreduce(metric, name="val_loss")  # expect: TL101
    return metric


def collect(embeddings):
    if hvd.local_rank() == 0:
        embeddings = hvd.allgather(embeddings)  # expect: TL101
    return embeddings


def resume(epoch):
    if hvd_tf.rank() == 0:
        epoch = hvd_tf.broadcast(epoch, root_rank=0)  # expect: TL101
    return epoch


def resume_object(state):
    verbose = hvd.rank() == 0
    if verbose:
        state = hvd.broadcast_object(state, root_rank=0)  # expect: TL101
    return state
