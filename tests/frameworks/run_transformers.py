"""Two epochs with transformers' trainer, on the CPU, in bfloat16 autocast."""

import torch
import transformers
from recorder import BATCHES, EPOCHS, EVALUATED, WINDOW, Recorder
from transformers import Trainer, TrainerCallback, TrainingArguments

recorder = Recorder()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))

    def forward(self, x, labels=None):
        logits = self.net(x)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


def rows(count):
    return [{"x": torch.randn(8), "labels": torch.tensor(1)} for _ in range(count)]


recorder.model = model = Net()
settings = TrainingArguments(
    output_dir="/tmp/trainer", num_train_epochs=EPOCHS, per_device_train_batch_size=4, per_device_eval_batch_size=4,
    gradient_accumulation_steps=WINDOW, eval_strategy="epoch", save_strategy="no",
    logging_strategy="epoch", bf16=True, use_cpu=True,
    report_to=[], disable_tqdm=True,
)  # fmt: skip
trainer = recorder.recorded(Trainer, "transformers.Trainer")(
    model,
    settings,
    train_dataset=rows(BATCHES * 4),
    eval_dataset=rows(EVALUATED * 4),
    callbacks=[recorder.recorded(TrainerCallback, "transformers.TrainerCallback")()],
)
trainer.train()
recorder.seen(transformers.__version__)
