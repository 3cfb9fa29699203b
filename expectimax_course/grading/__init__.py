"""Exercises and grading: the bank of questions, `check`, the sandbox, the judge and the reports."""
