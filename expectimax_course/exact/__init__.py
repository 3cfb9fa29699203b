"""Exact solutions over whole state spaces, where a table beats a tree."""
