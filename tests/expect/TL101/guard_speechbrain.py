"""speechbrain: `if_main_process()` from the library."""

import torch.distributed as dist
from speechbrain.utils.distributed import if_main_process


class SpeakerBrain:
    def on_stage_end(self, stage_loss):
        if if_main_process():
            dist.all_reduce(stage_loss)  # expect: TL101
            print(stage_loss)
