import torch.nn.functional as F
from model import GPT
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


def train(args, loader, policy, rank):
    model = GPT(args.width).to(rank)
    optimizer = model.configure_optimizers(0.1, 6e-4)
    if args.use_fsdp:
        model = FSDP(model, device_id=rank, auto_wrap_policy=policy)
    else:
        model = DDP(model, device_ids=[rank])
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
