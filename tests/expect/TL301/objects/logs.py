class History:
    def __init__(self):
        self.values = []
        self.by_name = {}

    def push(self, value):
        self.values.append(value)

    def log(self, name, value):
        self.by_name.setdefault(name, []).append(value)

    def push_number(self, value):
        self.values.append(value.item() if hasattr(value, "item") else value)
