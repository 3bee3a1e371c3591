"""The default of a helper in another file."""

from making import make


def main(training, validation):
    return make(training, True, 8), make(validation, False)
