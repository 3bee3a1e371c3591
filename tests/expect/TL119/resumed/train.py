import torch
from checkpoint import load_checkpoint, load_weights
from net import Net
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def build(args, mesh):
    model = Net(args.width)
    for layer in model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model


def train(args):
    mesh = init_device_mesh("cuda", (args.world,))
    model = build(args, mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    step = load_checkpoint(model, optimizer, args.resume) if args.resume else 0
    return model, optimizer, step


def finetune(args, mesh):
    model = Net(args.width)
    fully_shard(model, mesh=mesh)
    load_weights(model, args.weights)
    return model
