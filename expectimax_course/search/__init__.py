"""Searches: one algorithm per file, named after it; all are pure and generic in the number type."""
