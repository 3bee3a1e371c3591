"""The options are what a pydantic model dumps."""

from pydantic import BaseModel, Field
from torch.utils.data import DataLoader


class LoaderConfig(BaseModel):
    batch_size: int = Field(32, gt=0)
    num_workers: int = 0
    persistent_workers: bool = True
    pin_memory: bool = True


class Config(BaseModel):
    loader: LoaderConfig = LoaderConfig()


class Data:
    def __init__(self, cfg: Config):
        self.cfg = cfg

    def loader(self, dataset, **overrides):
        options = self.cfg.loader.model_dump()
        options.update(overrides)
        return DataLoader(dataset, **options)  # expect: TL207


def main(dataset):
    for batch in Data(Config()).loader(dataset, shuffle=True):
        print(batch.shape)
