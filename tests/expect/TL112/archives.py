"""An archive is taken apart by every rank, over the files that the others have begun to read."""

import shutil
import tarfile
import zipfile

import torch.distributed as dist
from torchvision.datasets.utils import download_and_extract_archive


def from_zip(packed, folder):
    dist.init_process_group("nccl")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)  # expect: TL112


def from_tar(packed, folder):
    dist.init_process_group("nccl")
    archive = tarfile.open(packed)
    archive.extractall(path=folder)  # expect: TL112
    archive.close()


def fetched(address):
    dist.init_process_group("nccl")
    download_and_extract_archive(address, "data")  # expect: TL112
    shutil.unpack_archive("more.zip", "data/more")  # expect: TL112
