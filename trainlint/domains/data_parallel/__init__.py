"""Models that ranks train together by averaging gradients."""
