"""``python -m expectimax_course`` is ``expectimax-course``."""

from expectimax_course.cli import main

if __name__ == "__main__":
    main()
