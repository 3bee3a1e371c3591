"""It runs what was trained."""

from gan import Gan

if __name__ == "__main__":
    Gan(8).test()
