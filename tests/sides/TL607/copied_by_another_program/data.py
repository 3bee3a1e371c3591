import shutil


def fetch(source, target):
    shutil.copy(source, target)
