"""A decorator that lets only one rank in is a guard around the whole body."""

import torch.distributed as dist
from accelerate import Accelerator
from lightning.pytorch.utilities import rank_zero_only
from mmengine.dist import master_only

accelerator = Accelerator()


@rank_zero_only
def dump_hparams(hparams, path):
    path.write_text(str(hparams))
    dist.barrier()  # expect: TL101


@master_only
def dump_config(config, path):
    config.dump(path)
    dist.barrier()  # expect: TL101


@accelerator.on_main_process
def upload(folder):
    folder.upload()
    accelerator.wait_for_everyone()  # expect: TL101


class TextLogger:
    @rank_zero_only
    def log_metrics(self, metrics):
        for value in metrics.values():
            dist.all_reduce(value)  # expect: TL101
