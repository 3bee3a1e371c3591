"""Under the ordinal's guard only host work; rendezvous, save and reductions are for all.

pytorch/xla @ 41398bfff334 : test/test_train_mp_mnist.py:143, test/test_train_mp_imagenet_fsdp.py:309
facebookresearch/fairseq @ 3d262bb25690 : fairseq/trainer.py:784-785
"""

import os

import torch_xla.core.xla_model as xm


def finish(model, correct, total, path):
    accuracy = xm.mesh_reduce("accuracy", correct / total, max)
    if xm.is_master_ordinal():
        print(f"accuracy {accuracy:.2f}")
        if os.path.exists(path):
            os.remove(path)
    xm.rendezvous("removed")
    xm.save(model.state_dict(), path)
    xm.mark_step()


def prepare_then_meet(rows, rank_data):
    if xm.get_ordinal() == 0:
        rows = [row.strip() for row in rows]
        rank_data["rows"] = rows
    xm.rendezvous("prepared")
    return rows
