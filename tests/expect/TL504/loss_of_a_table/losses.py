"""Losses that are chosen by name."""
# Modelled on facebookresearch/fairseq (wav2vec_criterion before and after its repair, speech_ulm_criterion, sentence_prediction_r3f).

import torch
import torch.nn.functional as F
from registry import register_loss


class Base(torch.nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.weighted = settings.weighted
        self.report_accuracy = settings.report_accuracy


@register_loss("contrastive", dataclass=dict)
class Contrastive(Base):
    def forward(self, model, sample, reduce=True):
        output = model(**sample["input"])
        logits = model.get_logits(output).float()
        target = model.get_targets(sample, output)
        loss = F.cross_entropy(logits, target, reduction="sum" if reduce else "none")
        size = target.numel() if self.weighted else target.long().sum().item()  # expect: TL504
        logged = {"loss": loss.item() if reduce else loss, "size": size}
        if self.weighted:
            logged["correct"] = (logits.argmax(-1) == 0).long().sum().item()
        return loss, size, logged


@register_loss("several")
class Several(Base):
    def forward(self, model, sample):
        output = model(sample["source"])
        loss = F.nll_loss(F.log_softmax(output, dim=-1), sample["target"], reduction="sum")
        return loss, sample["tokens"], {"loss": loss.detach().sum().item(), "tokens": sample["tokens"]}  # expect: TL504


@register_loss("kept")
class Kept(Base):
    """Nothing is fetched, or only on other devices, in some steps, of what was loaded, or when somebody wants to look."""

    def forward(self, model, sample, reduce=True):
        output = model(sample["source"])
        loss = F.cross_entropy(output, sample["target"], reduction="sum")
        on_xla = output.device.type == "xla"
        logged = {"loss": loss.detach() if on_xla else loss.item(), "tokens": sample["count"].item()}
        if self.report_accuracy:
            logged["correct"] = (output.argmax(-1) == sample["target"]).sum().item()
        if not self.training:
            logged["logits"] = output.cpu().numpy()
        if logged["tokens"] > 100:
            logged["large"] = loss.item()
        return loss, sample["count"], logged


class Unnamed(Base):
    """In no table."""

    def forward(self, model, sample):
        loss = F.cross_entropy(model(sample["source"]), sample["target"])
        return loss, loss.item()
