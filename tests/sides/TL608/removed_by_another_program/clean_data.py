import os


def main(folder):
    for name in os.listdir(folder):
        if name.endswith(".tmp"):
            os.remove(os.path.join(folder, name))
