"""A helper that switches the option off by itself."""

from making import make


def main(training, validation):
    return make(training, True, 8, persistent_workers=True), make(validation, False, persistent_workers=True)
