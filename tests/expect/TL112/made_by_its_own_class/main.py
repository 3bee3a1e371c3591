import shutil
from dataclasses import dataclass

import dacite
import torch
import yaml
from job import Job, Kept


@dataclass
class Settings:
    folder: str
    old: str


def read(path):
    with open(path) as file:
        return dacite.from_dict(data_class=Settings, data=yaml.safe_load(file))


def prepare(folder, settings):
    job = Job.get()
    shutil.copytree(settings.old, folder)  # expect: TL112
    if job.is_first():
        print(folder)


def main(path):
    settings = read(path)
    prepare(settings.folder, settings)


def kept(settings: Settings, model):
    job = Kept.get()
    torch.save(model.state_dict(), f"{settings.folder}/kept.pt")  # expect: TL112
    if job.rank == 0:
        print("kept")


def fresh(settings: Settings, model):
    job = Kept.fresh()
    torch.save(model.state_dict(), f"{settings.folder}/fresh.pt")  # expect: TL112
    return job
