"""What is saved and loaded: state dicts, files, and where a run resumes."""
