"""Schedulers and callbacks that act before anything ends the run, or of which that is not known."""

import tensorflow as tf
from torch import optim
from torch.optim.lr_scheduler import ReduceLROnPlateau


def in_time(model, train_epoch, validate, epochs):
    optimizer = optim.Adam(model.parameters())
    scheduler = ReduceLROnPlateau(optimizer, patience=3)
    best, bad = float("inf"), 0
    for _ in range(epochs):
        train_epoch(model, optimizer)
        loss = validate(model)
        scheduler.step(loss)
        if loss < best:
            best, bad = loss, 0
        else:
            bad += 1
        if bad > 4:
            break


def of_another_metric(model, train_epoch, validate, epochs):
    optimizer = optim.Adam(model.parameters())
    scheduler = ReduceLROnPlateau(optimizer, patience=10)
    best, bad = 0.0, 0
    for _ in range(epochs):
        train_loss = train_epoch(model, optimizer)
        accuracy = validate(model)
        scheduler.step(train_loss)
        if accuracy > best:
            best, bad = accuracy, 0
        else:
            bad += 1
        if bad >= 5:
            break


def several_times_an_epoch(model, loader, train_step, validate):
    optimizer = optim.Adam(model.parameters())
    scheduler = ReduceLROnPlateau(optimizer, "max", patience=5)
    for epoch in range(5):
        for number, batch in enumerate(loader):
            train_step(model, optimizer, batch)
            if number % 100 == 0:
                scheduler.step(validate(model))


def one_for_all_folds(model, folds, train_epoch):
    optimizer = optim.Adam(model.parameters())
    scheduler = ReduceLROnPlateau(optimizer, patience=10)
    for fold in folds:
        for _ in range(10):
            scheduler.step(train_epoch(model, optimizer, fold))


def other_options(model, train_epoch, validate, args):
    optimizer = optim.Adam(model.parameters())
    scheduler = ReduceLROnPlateau(optimizer, patience=args.lr_patience)
    best, bad = float("inf"), 0
    for _ in range(args.epochs):
        train_epoch(model, optimizer)
        loss = validate(model)
        scheduler.step(loss)
        bad = 0 if loss < best else bad + 1
        best = min(best, loss)
        if bad >= args.stop_patience:
            break


def a_limit_of_errors(model, train_epoch, validate, epochs):
    optimizer = optim.Adam(model.parameters())
    scheduler = ReduceLROnPlateau(optimizer, patience=10)
    failed = 0
    for _ in range(epochs):
        if train_epoch(model, optimizer) is None:
            failed += 1
        else:
            failed = 0
        if failed >= 3:
            break
        scheduler.step(validate(model))


def keras(model, data, val, epochs, patience):
    model.fit(data, validation_data=val, epochs=epochs, callbacks=[tf.keras.callbacks.EarlyStopping(patience=100)])
    early = tf.keras.callbacks.EarlyStopping(patience=patience)
    slower = tf.keras.callbacks.ReduceLROnPlateau(patience=patience // 2)
    model.fit(data, validation_data=val, epochs=100, callbacks=[early, slower])
    model.fit(data, epochs=5, callbacks=[tf.keras.callbacks.ReduceLROnPlateau(patience=2)])
    model.fit(data, epochs=1, callbacks=[tf.keras.callbacks.ReduceLROnPlateau(patience=2)])
