"""The flag comes from a parent class in another file, the collective from a third."""

from callbacks.base import LeaderCallback
from comm import gather_names


class ExportCallback(LeaderCallback):
    def on_end(self, names):
        if not self.on_leader:
            return
        self.write(gather_names(names))  # expect: TL102
