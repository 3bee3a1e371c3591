"""What people meet: the command, the engine, reports, editors and plugins, preflight; it stands on everything else."""
