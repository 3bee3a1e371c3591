from ..comm import get_rank, merge_objects


class BaseTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.is_main = get_rank() == 0

    def merge(self, stats):
        return merge_objects(stats)

    def log(self, stats):
        print(stats)
