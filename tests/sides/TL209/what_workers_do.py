"""What a dataset with workers puts on the GPU, and how the device is said."""

import torch
from torch.utils.data import DataLoader, Dataset


class Base(Dataset):
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)


class ByMethod(Base):
    def __getitem__(self, index):
        return self.items[index].cuda()  # expect: TL209


class ByText(Base):
    def __getitem__(self, index):
        return self.items[index].to("cuda:0")  # expect: TL209


class ByName(Base):
    def __getitem__(self, index):
        return self.items[index].to(device="cuda")  # expect: TL209


class ToTheHost(Base):
    def __getitem__(self, index):
        return self.items[index].to("cpu")


class ToAType(Base):
    def __getitem__(self, index):
        return self.items[index].to(torch.float16)


class MadeThere(Base):
    def __getitem__(self, index):
        return torch.zeros(3, device="cuda") + self.items[index]  # expect: TL209


class MadeHere(Base):
    def __getitem__(self, index):
        return torch.zeros(3, device="cpu") + self.items[index]


class OfADevice(Base):
    device = torch.device("cuda")

    def __getitem__(self, index):
        device = torch.device("cuda", 0)
        return self.items[index].to(device)  # expect: TL209


class OfAnotherDevice(Base):
    def __getitem__(self, index):
        device = torch.device("cpu")
        return self.items[index].to(device)


class OnlyNamed(Base):
    def __getitem__(self, index):
        return self.items[index], torch.device("cuda")


class Record:
    def __init__(self, text):
        self.text = text

    def to(self, place):
        return f"{self.text} {place}"


class OwnMethod(Base):
    def __getitem__(self, index):
        record = Record(self.items[index])
        return record.to("cuda")


def place(item, device):
    return {"item": item, "device": device}


class OwnFunction(Base):
    def __getitem__(self, index):
        return place(self.items[index], device="cuda")


class WhereAsked(Base):
    def __getitem__(self, index):
        if torch.utils.data.get_worker_info() is None:
            return self.items[index].cuda()
        return self.items[index]


def many(items):
    kinds = [
        DataLoader(ByMethod(items), batch_size=4, num_workers=2),
        DataLoader(ByText(items), batch_size=4, num_workers=2),
        DataLoader(ByName(items), batch_size=4, num_workers=2),
        DataLoader(ToTheHost(items), batch_size=4, num_workers=2),
        DataLoader(ToAType(items), batch_size=4, num_workers=2),
        DataLoader(MadeThere(items), batch_size=4, num_workers=2),
        DataLoader(MadeHere(items), batch_size=4, num_workers=2),
    ]
    more = [
        DataLoader(OfADevice(items), batch_size=4, num_workers=2),
        DataLoader(OfAnotherDevice(items), batch_size=4, num_workers=2),
        DataLoader(OnlyNamed(items), batch_size=4, num_workers=2),
        DataLoader(OwnMethod(items), batch_size=4, num_workers=2),
        DataLoader(OwnFunction(items), batch_size=4, num_workers=2),
        DataLoader(WhereAsked(items), batch_size=4, num_workers=2),
    ]
    return kinds, more


def to_gpu(samples):
    return torch.stack(samples).cuda()  # expect: TL209


def to_gpu_at_home(samples):
    return torch.stack(samples).cuda()


def collated(items):
    return DataLoader(items, batch_size=4, num_workers=2, collate_fn=to_gpu)


def collated_without_workers(items):
    return DataLoader(items, batch_size=4, num_workers=0, collate_fn=to_gpu_at_home)


class Twice(Base):
    def __getitem__(self, index):
        return self.items[index].cuda()  # expect: TL209


class OfANumber(Base):
    def __getitem__(self, index):
        return self.items[index].to(0)


def of_a_class(items):
    # a second loader of it is not a second finding
    first = DataLoader(Twice(items), batch_size=4, num_workers=2)
    second = DataLoader(Twice(items), batch_size=8, num_workers=4)
    return first, second, DataLoader(OfANumber(items), batch_size=4, num_workers=2)
