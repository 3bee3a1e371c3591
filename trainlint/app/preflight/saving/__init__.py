"""What a job saves and loads, under which names, and what becomes of it when its machine is taken away."""
