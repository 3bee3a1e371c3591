"""Opening one statement as a concrete tree, confirming suspects on it, building and applying repairs."""
