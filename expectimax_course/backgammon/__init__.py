"""Backgammon, the case study of learned evaluation under dice: rules, notation, network, search and self-play.

``rules`` and ``notation`` give the game; ``inputs`` and ``net`` value a position on the standard library alone;
``kernels`` is their compiled twin; ``search`` and ``train`` drive it.
"""
