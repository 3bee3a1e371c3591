"""What a Hugging Face trainer does in all processes, and an optimizer whose state is spread over them."""

import torch
import torch.distributed as dist
from torch.distributed.optim import ZeroRedundancyOptimizer
from transformers import Trainer


def evaluated_by_one(model, args, data):
    trainer = Trainer(model=model, args=args, train_dataset=data, eval_dataset=data)
    trainer.train()
    if trainer.is_world_process_zero():
        print(trainer.evaluate())  # expect: TL101


def evaluated_by_those_that_stay(model, args, data):
    trainer = Trainer(model=model, args=args, train_dataset=data)
    if args.local_rank not in (-1, 0):
        return None
    return trainer.evaluate(data)  # expect: TL102


def spread_state(parameters, path):
    optimizer = ZeroRedundancyOptimizer(parameters, torch.optim.SGD)
    if dist.get_rank() == 0:
        optimizer.consolidate_state_dict()  # expect: TL101
        torch.save(optimizer.state_dict(), path)


def evaluated_by_all(model, args, data):
    trainer = Trainer(model=model, args=args, train_dataset=data, eval_dataset=data)
    trainer.train()
    found = trainer.evaluate()
    if trainer.is_world_process_zero():
        print(found)


def collected_by_all(parameters, path):
    optimizer = ZeroRedundancyOptimizer(parameters, torch.optim.SGD)
    optimizer.consolidate_state_dict(to=0)
    if dist.get_rank() == 0:
        torch.save(optimizer.state_dict(), path)
