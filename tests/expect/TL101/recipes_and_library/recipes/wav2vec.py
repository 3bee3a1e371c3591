"""Recipes call a library function that used to be local and now communicates: every recipe that guards it hangs."""

from library.saving import store
from library.where import if_lead


def finish(brain, epoch):
    if if_lead():
        store(brain, epoch)  # expect: TL101
