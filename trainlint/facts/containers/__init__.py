"""Containers that are started: by ``docker run`` in a script, by Compose, by Kubernetes."""
