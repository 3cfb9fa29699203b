"""The small games of the course, one module each."""
