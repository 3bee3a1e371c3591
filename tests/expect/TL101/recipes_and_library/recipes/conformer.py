import library.saving as saving
from library import where


class Recipe:
    def on_stage_end(self, epoch):
        self.epoch = epoch
        if where.if_lead():
            saving.store(self, epoch)  # expect: TL101


def correct(brain, epoch):
    saving.store(brain, epoch)
    if where.if_lead():
        print("stored", epoch)
