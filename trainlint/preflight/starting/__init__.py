"""How people start a job: the lines that they are shown, and the scripts that start another one."""
