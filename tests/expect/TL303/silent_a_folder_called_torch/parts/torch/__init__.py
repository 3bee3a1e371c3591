"""A package of the project that is called as the library."""
