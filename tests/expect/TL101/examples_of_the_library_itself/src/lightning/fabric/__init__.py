"""The package of the class."""
