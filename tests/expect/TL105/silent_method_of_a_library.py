"""Objects from elsewhere have a method of that name, too: the only one of the project is not taken for theirs."""

import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import get_model_state_dict


class Kept:
    def save_pretrained(self, folder):
        folder.mkdir()
        self._save(folder)

    def _save(self, folder):
        raise NotImplementedError


class Settings(Kept):
    def _save(self, folder):
        (folder / "settings").write_text("none")


class Policy(Kept):
    def _save(self, folder):
        return get_model_state_dict(self.model)


def store(adapter, tokenizer, folder):
    if dist.get_rank() == 0:
        adapter.save_pretrained(folder)
        adapter.config.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
