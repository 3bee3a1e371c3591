"""An example beside the library is read as any code that uses it."""

from lightning import Fabric


def main(model, strategy):
    fabric = Fabric(strategy)
    if fabric.global_rank == 0:
        model.prepare()
        fabric.barrier()  # expect: TL101
