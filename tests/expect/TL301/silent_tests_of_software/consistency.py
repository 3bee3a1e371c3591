"""Tools of tests: a class of test cases of the project, which has no base in sight (allennlp)."""

import torch


class OwnTestCase:
    def setup_method(self):
        self.rows = torch.zeros(3, 2)


class ModelTestCase(OwnTestCase):
    def setup_method(self):
        super().setup_method()
        self.model = torch.nn.Linear(2, 2)

    def ensure_alike(self):
        self.model.eval()
        single = []
        for row in self.rows:
            result = self.model(row)
            result.sum().backward()
            single.append(result)
        whole = self.model(self.rows)
        for alone, together in zip(single, whole):
            assert torch.equal(alone, together)
