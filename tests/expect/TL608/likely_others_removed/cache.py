import os


def cached(loader):
    if os.path.exists("cache.tmp"):
        os.remove("cache.tmp")
    return loader
