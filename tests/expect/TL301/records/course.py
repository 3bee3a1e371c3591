"""An object is handed a step's loss beside other things."""

from diary import Diary, Sheet


class Course:
    def __init__(self, network, optimizer, schedule):
        self.network, self.optimizer, self.schedule = network, optimizer, schedule
        self.diary = Diary()
        self.sheet = Sheet()

    def run(self, loader):
        for number, batch in enumerate(loader):
            cost = self.network(**batch).loss
            cost.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.diary.write(number, self.schedule.get_last_lr(), cost)  # expect: TL301
            self.diary.page(number, cost)  # expect: TL301

    def run_by_value(self, loader):
        for number, batch in enumerate(loader):
            cost = self.network(**batch).loss
            cost.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.diary.write(number, self.schedule.get_last_lr(), cost.item())
            self.diary.write(number, self.schedule.get_last_lr(), value=cost.detach())
            self.diary.page(number, float(cost))

    def run_bounded(self, loader):
        for number, batch in enumerate(loader):
            cost = self.network(**batch).loss
            cost.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.diary.show("cost", cost)
            self.diary.glance(number, cost)
            self.sheet.fill(number, cost)
            print(self.sheet.hand_over())

    def run_with_one_diary_each(self, loader):
        for number, batch in enumerate(loader):
            diary = Diary()
            cost = self.network(**batch).loss
            cost.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            diary.write(number, 0.1, cost)
            print(diary.lines[0]["value"].item())
