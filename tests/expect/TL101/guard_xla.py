"""torch_xla: ordinals."""

import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def publish(model_dir):
    if xm.is_master_ordinal():
        model_dir.publish()
        xm.rendezvous("published")  # expect: TL101


def log_accuracy(correct, total):
    if xm.get_ordinal() == 0:
        accuracy = xm.mesh_reduce("accuracy", correct / total, sum)  # expect: TL101
        print(accuracy)


def log_loss(loss):
    if xr.global_ordinal() == 0:
        xm.all_reduce(xm.REDUCE_SUM, [loss])  # expect: TL101
    return loss


def download(dataset):
    if not xm.is_master_ordinal(local=True):
        xm.rendezvous("downloaded")  # expect: TL101
    return dataset.load()


def gather(tokens):
    ordinal = xm.get_local_ordinal()
    if ordinal == 0:
        tokens = xm.all_gather(tokens)  # expect: TL101
    return tokens
