"""No word of any library stands here."""

import fastlink


def gather_all(tensor):  # trainlint: collective
    return fastlink.gather(tensor)


def settle(
    tensor,
    patience=3,
):  # trainlint: collective
    return fastlink.settle(tensor, patience)


class Meeting:
    def hold(self, tensor):  # trainlint: collective
        return fastlink.hold(tensor)


def quiet(tensor):
    return fastlink.pack(tensor)
