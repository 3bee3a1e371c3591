"""`self.is_main` and the wrapper method are both inherited from a class in another package."""

from project.core.base import BaseTrainer


class DetectionTrainer(BaseTrainer):
    def after_epoch(self, stats):
        if self.is_main:
            self.log(self.merge(stats))  # expect: TL101

    def after_run(self):
        if not self.is_main:
            return
        print("done")
