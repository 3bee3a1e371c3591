import os


class LeaderCallback:
    def __init__(self):
        self.on_leader = int(os.environ.get("RANK", "0")) == 0

    def write(self, names):
        print("\n".join(names))
