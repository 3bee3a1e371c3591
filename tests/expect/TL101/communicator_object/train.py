"""An object made elsewhere wraps the process group; the loop only knows its methods."""

from communicator import Communicator


class Loop:
    def __init__(self, model):
        self.model = model
        self.comm = Communicator.from_environment()

    def run(self, batches):
        losses = [self.model(batch) for batch in batches]
        if self.comm.is_leader:
            print(self.comm.mean(sum(losses)))  # expect: TL101


def run_functional(model, batches):
    comm = Communicator.from_environment()
    losses = [model(batch) for batch in batches]
    if comm.rank == 0:
        print(comm.mean(sum(losses)))  # expect: TL101
