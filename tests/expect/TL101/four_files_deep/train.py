"""guard → checkpointing → state → gathering → torch.distributed, each in a file of its own."""

from checkpointing import write_checkpoint
from ranks import RANK


def main(model, optimizer, steps):
    for step in range(steps):
        model.step(optimizer)
        if step % 500 == 0 and RANK == 0:
            write_checkpoint(model, optimizer, step)  # expect: TL101


if __name__ == "__main__":
    main(None, None, 1000)
