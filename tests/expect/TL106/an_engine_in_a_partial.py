"""An engine that is bound into a partial, which an object keeps and calls by the rank."""

import argparse
from functools import partial

import deepspeed
import torch
import torch.distributed as dist


def save_fn(engine, outdir, tag, **client_state):
    engine.save_checkpoint(outdir, tag, client_state=client_state)


class Saver:
    def __init__(self, fn, every):
        self.fn, self.every = fn, every

    def __call__(self, step, **kw):
        if step % self.every:
            return
        if dist.get_rank() == 0:
            self.fn(tag=f"step{step}", step=step, **kw)  # expect: TL106


def main(args):
    model = torch.nn.Linear(4, 4)
    engine, *_ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
    saver = Saver(partial(save_fn, engine, args.out), every=100)
    for step, batch in enumerate(torch.ones(1000, 4)):
        loss = engine(batch).sum()
        engine.backward(loss)
        engine.step()
        saver(step, loss=loss.item())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--out")
    p = deepspeed.add_config_arguments(p)
    main(p.parse_args())
