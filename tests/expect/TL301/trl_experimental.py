"""Trainers that TRL has moved to a package of their own are transformers' all the same."""

from trl.experimental.cpo import CPOTrainer


class Kept(CPOTrainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        loss, outputs = super().compute_loss(model, inputs, return_outputs=True)
        self.losses.append(loss)  # expect: TL301
        return (loss, outputs) if return_outputs else loss
