"""How a script of the project is started: the launch lines in the files beside the Python."""
