"""The rules: one module each, found by walking the family folders (see :mod:`trainlint.rules.registry`)."""
