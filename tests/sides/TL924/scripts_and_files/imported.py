from shared import make


def main():
    return make()
