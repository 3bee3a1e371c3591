"""Why a site could not be opened. Light to import: the engine catches these without loading libcst."""

from __future__ import annotations


class SiteRefused(Exception):
    """The statement could not be opened as a concrete syntax tree that gives its text back exactly."""


class SiteTooComplex(SiteRefused):
    """The statement is beyond the limits of :mod:`trainlint.sites.limits` and was not given to libcst."""
