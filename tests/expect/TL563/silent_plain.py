# As in facebookresearch/flow_matching (compiled around DDP: `.module` is the plain model) and LambdaLabsML's guide (always compiled).
import torch
from torch.distributed.checkpoint.state_dict import get_model_state_dict
from timm.utils import unwrap_model
from torch.nn.parallel import DistributedDataParallel as DDP


class TrainState:
    def __init__(self, model, optimizer):
        self._model = DDP(model)
        self._optimizer = optimizer

    @property
    def model(self):
        return self._model

    def compile_model(self):
        self._model = torch.compile(self._model)

    def save_checkpoint(self, path):
        torch.save({"model": self.model.module.state_dict(), "optimizer": self._optimizer.state_dict()}, path)


def resumed(args, build, loader):
    model = torch.compile(build(args))
    optimizer = torch.optim.AdamW(model.parameters())
    if args.resume:
        model.load_state_dict(_to(args.device, args.folder / "model.pt"))
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.save(model.state_dict(), args.folder / "model.pt")


def _to(device, path):
    return torch.load(path, map_location=device, weights_only=True)


def of_checkpoint_library(model, path):
    fast = torch.compile(model)
    torch.save(get_model_state_dict(fast), path)


class Runner:
    def __init__(self, model):
        self.model = model
        self.fast = torch.compile(model)

    def save(self, path):
        torch.save(self.model.state_dict(), path)


def compiled_parts(model, path):
    model.loss = torch.compile(model.loss)
    model.forward = torch.compile(model.forward)
    model.head.compile(mode="max-autotune")
    torch.save(model.state_dict(), path)


def unwrapped_by_a_library(model, path):
    fast = torch.compile(model)
    torch.save(unwrap_model(fast).state_dict(), path)


def told_to_take_it_off(model, accelerator, path):
    fast = accelerator.prepare(torch.compile(model))
    torch.save(accelerator.unwrap_model(fast, keep_torch_compile=False).state_dict(), path)


def never_reached(model, path, is_main):
    fast = torch.compile(model)
    if is_main and False:
        torch.save(fast.state_dict(), path)
