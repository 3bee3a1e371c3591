"""``pylint --load-plugins=trainlint.pylint_plugin``."""

from trainlint.frontends.pylint_checkers import register

__all__ = ["register"]
