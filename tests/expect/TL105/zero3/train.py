import deepspeed
from saving import save_adapter


def main(args, net, loader, names):
    engine, *_ = deepspeed.initialize(args=args, model=net)
    for step, batch in enumerate(loader):
        engine.backward(engine(batch))
        engine.step()
        if step % 500 == 0 and deepspeed.comm.get_rank() == 0:
            save_adapter(engine.module, names, f"adapter{step}.pt")  # expect: TL105
