# As in Vchitect/Latte (compiled, then in DDP) and KellerJordan/modded-nanogpt (a state put aside in memory).
import copy

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def main(args, model, ema, device, local_rank):
    if args.use_compile:
        model = torch.compile(model)
    model = DDP(model.to(device), device_ids=[local_rank])
    for step in range(args.steps):
        if step % args.ckpt_every == 0:
            checkpoint = {
                "model": model.module.state_dict(),  # expect: TL563
                "ema": ema.state_dict(),
            }
            torch.save(checkpoint, f"{args.folder}/{step:07d}.pt")


def warm(model, train_loader, path):
    model = torch.compile(model, dynamic=False, fullgraph=True)
    initial_state = dict(model=copy.deepcopy(model.state_dict()))
    for batch in train_loader:
        model(batch).sum().backward()
    model.load_state_dict(initial_state["model"])
    torch.save(dict(step=0, model=model.state_dict()), path)  # expect: TL563


def gathered(args, model, accelerator):
    model = accelerator.prepare(torch.compile(model))
    torch.save(accelerator.unwrap_model(model).state_dict(), args.out)  # expect: TL563
