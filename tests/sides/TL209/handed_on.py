"""Where images go, as a recursion, a loop, a mixin or a hook hands it on; and what takes its place on the way."""

import itertools
import threading

from torch.utils.data import DataLoader, Dataset


class Place:
    def __init__(self, name, inner=None):
        self.name = name
        self.inner = inner


class Config:
    place = None


class Loud:
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.loud = True


class LoudPlace(Loud, Place):
    pass


class LoudThread(Loud, threading.Thread, Place):
    pass


CONFIG = Config()


def configure():
    CONFIG.place = "cuda"


def after(place, tries):
    if tries:
        return after(place, tries - 1)
    return place


def stepped(place):
    return Place(place.name)


def named(name, inner=None):
    return inner or name


class Images(Dataset):
    def __init__(self, images, mode):
        self.images = images
        self.mode = mode

    def place_of_training(self):
        return "cuda"

    def place_of_validation(self):
        return "cuda"

    def held_for_training(self):
        return "cpu"

    def __getitem__(self, index):
        image = self.images[index]
        first = image.to(after("cuda", 2))  # expect: TL209
        looped, sought, left = Place("cuda"), Place("cuda", Place("cpu")), Place("cuda")
        for _ in range(2):
            looped = stepped(looped)
        while sought.inner is not None:
            sought = sought.inner
        while left.name == "cuda":
            left = stepped(self.mode)
        second = image.to(looped.name)  # expect: TL209
        third = image.to(sought.name), image.to(left.name)
        fourth = image.to(LoudPlace("cuda").name)  # expect: TL209
        fifth = image.to(LoudThread("cuda").name)
        sixth = image.to(getattr(self, "place_of_" + self.mode)())  # expect: TL209
        seventh = image.to(getattr(self, "held_for_" + self.mode)())
        eighth = image.to(named(**vars(Place("cuda"))))  # expect: TL209
        ninth = image.to(CONFIG.place)  # expect: TL209
        last = image.to(next(itertools.starmap(named, [("cuda", None)])))  # expect: TL209
        return first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, last

    def __len__(self):
        return len(self.images)


def make_loader(images, mode):
    configure()
    return DataLoader(Images(images, mode), batch_size=64, num_workers=4)
