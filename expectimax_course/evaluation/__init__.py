"""Evaluations as such: their scale, how well they predict outcomes, and how to fit them."""
