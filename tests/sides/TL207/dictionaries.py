"""Options of workers in dictionaries: set, taken away, put together, known or not, where there are no workers."""

from functools import partial

from torch.utils.data import DataLoader


def written_down(dataset):
    options = {"persistent_workers": True}
    return DataLoader(dataset, **options)  # expect: TL207


def with_workers(dataset):
    options = {"persistent_workers": True, "num_workers": 2}
    return DataLoader(dataset, **options)


def by_dict(dataset):
    options = dict(batch_size=4, persistent_workers=True)
    return DataLoader(dataset, **options)  # expect: TL207


def by_dict_of_another(dataset):
    base = {"num_workers": 2}
    options = dict(base, persistent_workers=True)
    return DataLoader(dataset, **options)


def set_later(dataset):
    options = {"persistent_workers": True}
    options["num_workers"] = 2
    return DataLoader(dataset, **options)


def another_set_later(dataset):
    options = {"persistent_workers": True}
    options["batch_size"] = 2
    return DataLoader(dataset, **options)  # expect: TL207


def set_too_late(dataset):
    options = {"persistent_workers": True}
    loader = DataLoader(dataset, **options)  # expect: TL207
    options["num_workers"] = 2
    return loader, options


def set_under_an_unknown_key(dataset, name):
    options = {"persistent_workers": True}
    options[name] = 2
    return DataLoader(dataset, **options)


def set_in_some_runs(dataset, fast):
    options = {"persistent_workers": True}
    if fast:
        options["num_workers"] = 2
    return DataLoader(dataset, **options)


def set_and_used_under_one_test(dataset, fast):
    options = {"persistent_workers": True}
    if fast:
        options["num_workers"] = 2
        return DataLoader(dataset, **options)
    return None


def taken_away(dataset):
    options = {"persistent_workers": True}
    options.pop("persistent_workers")
    return DataLoader(dataset, **options)


def another_taken_away(dataset):
    options = {"persistent_workers": True, "batch_size": 3}
    options.pop("batch_size")
    return DataLoader(dataset, **options)  # expect: TL207


def something_taken_away(dataset, name):
    options = {"persistent_workers": True, "batch_size": 3}
    options.pop(name)
    return DataLoader(dataset, **options)


def emptied(dataset):
    options = {"persistent_workers": True}
    options.clear()
    return DataLoader(dataset, **options)


def defaulted(dataset):
    options = {"persistent_workers": True}
    options.setdefault("num_workers", 2)
    return DataLoader(dataset, **options)


def defaulted_to_none(dataset):
    options = {"persistent_workers": True}
    options.setdefault("num_workers", 0)
    return DataLoader(dataset, **options)  # expect: TL207


def defaulted_though_there(dataset):
    options = {"persistent_workers": True, "num_workers": 0}
    options.setdefault("num_workers", 2)
    return DataLoader(dataset, **options)  # expect: TL207


def another_defaulted(dataset):
    options = {"persistent_workers": True}
    options.setdefault("batch_size", 2)
    return DataLoader(dataset, **options)  # expect: TL207


def something_defaulted(dataset, name):
    options = {"persistent_workers": True}
    options.setdefault(name, 2)
    return DataLoader(dataset, **options)


def looked_at(dataset):
    options = {"persistent_workers": True}
    print(options.get("num_workers"), options.items())
    return DataLoader(dataset, **options)  # expect: TL207


def handed_to_somebody(dataset, complete):
    options = {"persistent_workers": True}
    complete(options)
    return DataLoader(dataset, **options)


def changed_by_another_method(dataset):
    options = {"persistent_workers": True}
    options.__setitem__("num_workers", 2)
    return DataLoader(dataset, **options)


def updated_by_keyword(dataset):
    options = {"persistent_workers": True}
    options.update(num_workers=2)
    return DataLoader(dataset, **options)


def updated_by_another_keyword(dataset):
    options = {"persistent_workers": True}
    options.update(batch_size=2)
    return DataLoader(dataset, **options)  # expect: TL207


def updated_by_unknown(dataset, more):
    options = {"persistent_workers": True}
    options.update(more)
    return DataLoader(dataset, **options)


def updated_by_unknown_keywords(dataset, more):
    options = {"persistent_workers": True}
    options.update(**more)
    return DataLoader(dataset, **options)


def display_over_display(dataset):
    base = {"num_workers": 2, "batch_size": 8}
    return DataLoader(dataset, **{**base, "num_workers": 0, "persistent_workers": True})  # expect: TL207


def display_under_display(dataset):
    base = {"num_workers": 2, "batch_size": 8}
    return DataLoader(dataset, **{"num_workers": 0, "persistent_workers": True, **base})


def surplus(dataset, **options):
    return DataLoader(dataset, persistent_workers=True, **options)  # expect: TL207


def surplus_without(dataset):
    return surplus(dataset, batch_size=2)


def surplus_with(dataset):
    return surplus(dataset, num_workers=2)


def surplus_asked_for(dataset, **options):
    if "num_workers" not in options:
        options["persistent_workers"] = False
    return DataLoader(dataset, **options)


def surplus_asked_for_without(dataset):
    return surplus_asked_for(dataset, persistent_workers=True)


def surplus_of_unknown(dataset, **options):
    return DataLoader(dataset, persistent_workers=True, **options)


def surplus_of_unknown_with(dataset, settings):
    return surplus_of_unknown(dataset, **settings)


def partly(dataset):
    make = partial(DataLoader, persistent_workers=True)
    return make(dataset)  # expect: TL207


def partly_with(dataset):
    make = partial(DataLoader, persistent_workers=True, num_workers=2)
    return make(dataset)


def starred(arguments):
    return DataLoader(*arguments, persistent_workers=True)


def starred_behind_a_name(arguments):
    return DataLoader(*arguments, num_workers=0, persistent_workers=True)  # expect: TL207


class Kept:
    def __init__(self):
        self.options = {"persistent_workers": True}
        self.others = {"persistent_workers": True}
        self.named = {"persistent_workers": True}
        self.looked = {"persistent_workers": True}

    def loader(self, dataset):
        return DataLoader(dataset, **self.options)  # expect: TL207

    def other_loader(self, dataset):
        return DataLoader(dataset, **self.others)

    def named_loader(self, dataset):
        return DataLoader(dataset, **self.named)

    def looked_at_loader(self, dataset):
        return DataLoader(dataset, **self.looked)  # expect: TL207

    def fill(self, number, name):
        self.others["num_workers"] = number
        self.named.update({name: number})
        self.looked["batch_size"] = number
        print(self.looked.get(name))


class Settings(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


def items_that_are_attributes(dataset):
    options = Settings(batch_size=4)
    options.persistent_workers = True
    return DataLoader(dataset, **options)  # expect: TL207


def workers_that_are_an_attribute(dataset):
    options = Settings(persistent_workers=True)
    options.num_workers = 2
    return DataLoader(dataset, **options)


def set_in_all_arms(dataset, fast):
    options = {"batch_size": 4}
    if fast:
        options["persistent_workers"] = True
    else:
        options["persistent_workers"] = True
    return DataLoader(dataset, **options)  # expect: TL207


def set_in_one_arm(dataset, fast):
    options = {"persistent_workers": True}
    if fast:
        options["num_workers"] = 2
    else:
        options["batch_size"] = 4
    return DataLoader(dataset, **options)


def set_behind_a_check(dataset, workers):
    options = {"persistent_workers": True}
    if not dataset:
        raise ValueError("no data")
    options["num_workers"] = workers
    return DataLoader(dataset, **options)


def show(options):
    print(options["persistent_workers"])


def hurry(options):
    options["num_workers"] = 2


def shown_by_a_function(dataset):
    options = {"persistent_workers": True}
    show(options)
    return DataLoader(dataset, **options)  # expect: TL207


def changed_by_a_function(dataset):
    options = {"persistent_workers": True}
    hurry(options)
    return DataLoader(dataset, **options)


def without_any(dataset, options=None):
    return DataLoader(dataset, persistent_workers=True, **(options or {}))  # expect: TL207


def with_some(dataset, options=None):
    return DataLoader(dataset, persistent_workers=True, **(options or {}))


def unpacked_by_a_caller(dataset):
    settings = Settings(dataset=dataset)
    without_any(**settings)
    settings.options = Settings(num_workers=2)
    with_some(**settings)
