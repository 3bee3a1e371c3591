"""The parameters of the teacher want no gradients, those of the student beside it do."""

import torch


class Distiller:
    def __init__(self, student, teacher, optimizer):
        self.student, self.teacher = student, teacher
        self.optimizer = optimizer
        for parameter in self.teacher.parameters():
            parameter.requires_grad = False
        self.teacher.eval()

    def fit(self, loader, held_out):
        for epoch in range(10):
            self.student.train()
            for images, labels in loader:
                self.optimizer.zero_grad()
                torch.nn.functional.mse_loss(self.student(images), self.teacher(images)).backward()
                self.optimizer.step()
            print(epoch, self.measure(held_out))

    def measure(self, held_out):
        self.student.eval()
        agreed = 0
        for images, labels in held_out:
            agreed += (self.student(images).argmax(1) == labels).sum().item()  # expect: TL303
        return agreed / len(held_out)


def frozen_teacher(student, teacher, held_out):
    """The parameters of the teacher want no gradients; the student's do."""
    for parameter in teacher.parameters():
        parameter.requires_grad_(False)
    student.eval()
    agreed = 0
    for images, _ in held_out:
        agreed += (student(images).argmax(1) == teacher(images).argmax(1)).sum().item()  # expect: TL303
    student.train()
    return agreed


def compare(loader, build):
    student, teacher = torch.nn.Linear(8, 4), build()
    print(frozen_teacher(student, teacher, loader))
