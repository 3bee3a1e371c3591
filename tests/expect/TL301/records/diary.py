"""What a run notes down."""

from collections import deque


class Diary:
    def __init__(self):
        self.lines = []
        self.pages = {}
        self.latest = {}
        self.recent = deque(maxlen=50)

    def write(self, number, rate, value):
        self.lines.append({"number": number, "rate": rate, "value": value})

    def page(self, number, value):
        self.pages[number] = {"value": value}

    def show(self, name, value):
        self.latest[name] = value

    def glance(self, number, value):
        self.recent.append((number, value))


class Sheet:
    """Is read and emptied after each step."""

    def __init__(self):
        self.rows = []

    def fill(self, number, value):
        self.rows.append({"number": number, "value": value})

    def hand_over(self):
        rows, self.rows = self.rows, []
        return [float(row["value"]) for row in rows]
