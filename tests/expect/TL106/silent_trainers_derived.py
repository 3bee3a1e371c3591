"""The state is gathered by all ranks and written by one; a class of the project that only looks like a trainer."""

from cards import CardMixin
from transformers import Trainer
from trl import SFTTrainer


class Mixed(CardMixin, Trainer):
    def save_model(self, output_dir=None, _internal_call=False):
        state = self.accelerator.get_state_dict(self.model)
        if self.args.should_save:
            self._save(output_dir, state_dict=state)


class Tuned(SFTTrainer):
    def finish(self, folder):
        self.save_model(folder)
        if self.is_world_process_zero():
            self.write_card(folder)

    def evaluate(self, dataset=None):
        found = super().evaluate(dataset)
        if self.args.should_log:
            print(found)
        return found


class Writer(CardMixin):
    def __init__(self, args):
        self.args = args

    def save_model(self, folder):
        return folder

    def finish(self, folder):
        if self.args.should_save:
            self.save_model(folder)
