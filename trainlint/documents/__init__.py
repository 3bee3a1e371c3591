"""The files beside the Python: configurations, launch scripts, images, requirements. Read by real parsers, with their places.

Nothing in a file makes a reader raise, and nothing is run, loaded or followed: what cannot be read is not there. See
:class:`trainlint.documents.document.Document`.
"""
