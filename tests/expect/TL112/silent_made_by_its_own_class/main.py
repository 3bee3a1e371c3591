"""The first rank alone writes, or the settings say which folder is a rank's own."""

import shutil
from dataclasses import dataclass

import torch
from job import Job, Kept


@dataclass
class Settings:
    folder: str
    rank_folder: str
    mine: str


def prepare(folder, settings: Settings):
    job = Job.get()
    if job.is_first():
        shutil.copytree(settings.folder, folder)


def of_a_rank(settings: Settings, model):
    Kept.fresh()
    torch.save(model.state_dict(), f"{settings.rank_folder}/model.pt")


def divide(settings: Settings):
    settings.mine = f"{settings.folder}/{Kept.get().rank}"


def mine(settings: Settings, model):
    Kept.get()
    torch.save(model.state_dict(), settings.mine)
