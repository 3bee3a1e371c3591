import deepspeed


class Strategy:
    """What a trainer wraps around DeepSpeed."""

    def __init__(self, args, net):
        self.engine, self.optimizer, _, self.scheduler = deepspeed.initialize(args=args, model=net)

    def is_rank_0(self):
        return deepspeed.comm.get_rank() == 0

    def save_ckpt(self, folder, tag, keep):
        if self.is_rank_0():
            keep(folder)
        deepspeed.comm.barrier()
        self.engine.save_checkpoint(folder, tag=tag)
