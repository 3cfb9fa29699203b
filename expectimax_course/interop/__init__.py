"""Bridges to other libraries; each needs an extra and is imported by nobody else in the package."""
