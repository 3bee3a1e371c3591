"""The collectives of an Accelerator, known by what made the object and by convention of its name."""

from accelerate import Accelerator
from accelerate.utils import broadcast_object_list, gather_object, wait_for_everyone


def gather(logits):
    acc = Accelerator(mixed_precision="bf16")
    if acc.is_main_process:
        logits = acc.gather(logits)  # expect: TL101
    return logits


def gather_for_metrics(accelerator, preds, refs):
    if accelerator.is_main_process:
        preds, refs = accelerator.gather_for_metrics((preds, refs))  # expect: TL101
    return preds, refs


def reduce(accelerator: Accelerator, loss):
    if accelerator.is_local_main_process:
        loss = accelerator.reduce(loss, reduction="mean")  # expect: TL101
    return loss


def pad(accelerator: Accelerator, ids):
    if accelerator.is_main_process:
        ids = accelerator.pad_across_processes(ids, dim=1)  # expect: TL101
    return ids


def wait(accelerator: Accelerator):
    if accelerator.is_main_process:
        accelerator.wait_for_everyone()  # expect: TL101


def module_functions(accelerator: Accelerator, names):
    if accelerator.is_main_process:
        names = gather_object(names)  # expect: TL101
    return names


def module_broadcast(accelerator: Accelerator, names):
    if accelerator.is_main_process:
        broadcast_object_list(names, from_process=0)  # expect: TL101


def module_wait(accelerator: Accelerator):
    if not accelerator.is_main_process:
        wait_for_everyone()  # expect: TL101


class PromptTuner:
    def __init__(self, **options):
        self.accelerator = Accelerator(**options)

    def evaluate(self, scores):
        if self.accelerator.is_main_process:
            scores = self.accelerator.gather_for_metrics(scores)  # expect: TL101
        return scores
