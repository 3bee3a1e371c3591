"""Trainers that are derived from several classes of libraries, or from a library's own trainer: which rank, and what hangs."""

from cards import CardMixin
from transformers import Trainer
from trl import GRPOTrainer
from trl.trainer import PPOTrainer


class Mixed(CardMixin, Trainer):
    def save_model(self, output_dir=None, _internal_call=False):
        if self.args.should_save:
            state = self.accelerator.get_state_dict(self.model)  # expect: TL106
            self._save(output_dir, state_dict=state)


class Policy(PPOTrainer, Trainer):
    def save_model(self, output_dir=None, _internal_call=False):
        if self.args.should_save:
            self._save(output_dir, state_dict=self.accelerator.get_state_dict(self.model))  # expect: TL106


class Groups(GRPOTrainer):
    def finish(self, folder):
        if self.is_world_process_zero():
            self.save_model(folder)  # expect: TL106
            self.write_card(folder)
