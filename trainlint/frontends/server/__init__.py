"""``trainlint server``: the language server. Only :mod:`trainlint.frontends.server.app` and what it imports need pygls."""
