"""``trainlint server``: the language server. Only :mod:`trainlint.app.frontends.server.app` and what it imports need pygls."""
