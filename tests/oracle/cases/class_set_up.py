# A class method keeps who communicates.
import torch.distributed as dist
class Logger:
    enabled = False
    @classmethod
    def setup(cls):
        cls.enabled = dist.get_rank() == 0
    @classmethod
    def flush(cls):
        if cls.enabled:
            dist.barrier()
Logger.setup()
Logger.flush()
