"""In which precision a loss was computed, and who takes care of its scale."""
