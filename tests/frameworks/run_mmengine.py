"""Two epochs with MMEngine's runner, on the CPU."""

import mmengine
import torch
from mmengine.evaluator import BaseMetric, Evaluator
from mmengine.hooks import Hook
from mmengine.model import BaseModel
from mmengine.runner import Runner
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder

recorder = Recorder()


class Net(BaseModel):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))

    def forward(self, inputs, labels=None, mode="tensor"):
        out = self.net(torch.as_tensor(inputs))
        return {"loss": torch.nn.functional.cross_entropy(out, torch.as_tensor(labels))} if mode == "loss" else [out]


class Size(BaseMetric):
    def process(self, data_batch, data_samples):
        self.results.append(len(data_samples))

    def compute_metrics(self, results):
        return {"size": len(results)}


def loader(count):
    rows = [{"inputs": torch.randn(8), "labels": torch.tensor(1)} for _ in range(count * 4)]
    return {
        "dataset": rows,
        "batch_size": 4,
        "sampler": {"type": "DefaultSampler", "shuffle": False},
        "collate_fn": {"type": "default_collate"},
    }


recorder.model = model = recorder.recorded(Net, "mmengine.model.BaseModel")()
runner = Runner(
    model, "/tmp/mmengine", train_dataloader=loader(BATCHES), val_dataloader=loader(EVALUATED),
    train_cfg={"by_epoch": True, "max_epochs": EPOCHS}, val_cfg={},
    optim_wrapper={"optimizer": {"type": "SGD", "lr": 0.1}},
    val_evaluator=Evaluator([recorder.recorded(Size, "mmengine.evaluator.BaseMetric")()]),
    custom_hooks=[recorder.recorded(Hook, "mmengine.hooks.Hook")()], log_level="ERROR",
)  # fmt: skip
runner.train()
recorder.seen(mmengine.__version__)
