"""``pylint --load-plugins=trainlint.pylint_plugin``."""

from trainlint.app.frontends.pylint_checkers import load_configuration, register

__all__ = ["load_configuration", "register"]
