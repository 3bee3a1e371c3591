import gradients
import lightning as L
from gradients import clip_grad_norm_


def early(model, criterion, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL420
        loss.backward()
        optimizer.step()


def late(model, criterion, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()
        gradients.clip_grad_value_(model.parameters(), 0.5)  # expect: TL420


class Clipped(L.LightningModule):
    def training_step(self, batch, batch_idx):
        loss = self.model(batch).mean()
        self.log("norm", clip_grad_norm_(self.parameters(), 1.0))  # expect: TL420
        return loss


def right(model, criterion, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


class Model(L.LightningModule):
    def training_step(self, batch, batch_idx):
        return self.model(batch).mean()

    def on_before_optimizer_step(self, optimizer):
        clip_grad_norm_(self.parameters(), 1.0)
