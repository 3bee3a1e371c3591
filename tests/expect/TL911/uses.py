"""As in facebookresearch/fairseq, pytorch/torchtune, huggingface/accelerate."""

from torch.distributed import _tensor as dt
from torch.distributed._tensor import Replicate, Shard, distribute_tensor  # expect: TL911, TL911, TL911
from torch.utils.data._utils.collate import default_collate as collate  # expect: TL911


def place(x, mesh):
    x = distribute_tensor(x, mesh, [Shard(0)])
    return dt.distribute_module(x, mesh), Replicate()  # expect: TL911


LOADING = {"collate_fn": collate}
