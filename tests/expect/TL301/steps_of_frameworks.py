"""No backward pass is in sight: the framework runs it on what the step returns."""

import lightning as L
import pytorch_lightning as pl
import torch
from transformers import Trainer


class Plain(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.seen = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.criterion(self(x), y)
        self.seen.append(loss)  # expect: TL301
        return loss

    def on_train_epoch_end(self):
        print(torch.stack(self.seen).mean())
        self.seen.clear()


class WithRecord(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.records, self.numbers = [], []

    def step(self, batch):
        loss = self.criterion(self(batch))
        return {"loss": loss, "size": len(batch)}, None

    def training_step(self, batch, batch_idx):
        record, _ = self.step(batch)
        self.records.append(record)  # expect: TL301
        self.numbers.append(float(record["loss"]))
        return record

    def validation_step(self, batch, batch_idx):
        record, _ = self.step(batch)
        self.records.append(record)


class Helped(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.values, self.checked = [], []

    def shared(self, batch, stage):
        loss = self.criterion(self(batch))
        self.values.append(loss)  # expect: TL301
        if stage == "validation":
            self.checked.append(loss)
        return loss

    def training_step(self, batch, batch_idx):
        return self.shared(batch, "training")

    def validation_step(self, batch, batch_idx):
        self.shared(batch, "validation")


class Tuned(Trainer):
    history = []

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        loss = outputs.loss
        self.history.append(loss)  # expect: TL301
        return (loss, outputs) if return_outputs else loss


class Careful(pl.LightningModule):
    """What is kept holds no graph, or is gone after each step."""

    def __init__(self):
        super().__init__()
        self.seen, self.last, self.recent = [], None, []

    def training_step(self, batch, batch_idx):
        loss = self.criterion(self(batch))
        self.seen.append(loss.detach())
        self.last = loss
        self.recent.append(loss)
        return {"loss": loss, "n": len(batch)}

    def on_train_batch_end(self, outputs, batch, batch_idx):
        self.recent.clear()

    def validation_step(self, batch, batch_idx):
        self.seen.append(self.criterion(self(batch)))


class Cutting(pl.LightningModule):
    """A helper takes the graphs off whatever it is given."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def training_step(self, batch, batch_idx):
        record = self.step(batch)
        self.seen.append(cut(record))
        return record


def cut(value):
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, dict):
        return {name: cut(item) for name, item in value.items()}
    return value


class Manual(pl.LightningModule):
    """What its step returns is nobody's loss."""

    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.seen = []

    def training_step(self, batch, batch_idx):
        with torch.no_grad():
            score = self.score(batch)
        self.seen.append(score)
        return score


class Unrelated:
    """No framework runs this step."""

    def __init__(self):
        self.seen = []

    def training_step(self, batch, batch_idx):
        loss = self.criterion(batch)
        self.seen.append(loss)
        return loss
