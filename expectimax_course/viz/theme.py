"""The colours of every picture: the theme's variables, with the light theme's values where no stylesheet is near."""

from __future__ import annotations

INK = "var(--ec-ink,#14181f)"
MUTED = "var(--ec-muted,#5b6470)"
PAPER = "var(--ec-paper,#fff)"
TINT = "var(--ec-tint,#f2f4f7)"
LINE = "var(--ec-line,#c9ced6)"
MAX = "var(--ec-max,#0072b2)"
MIN = "var(--ec-min,#b84f00)"
CHANCE = "var(--ec-chance,#007d5b)"
LEAF = "var(--ec-leaf,#5b6470)"

HALO = "stroke:var(--ec-paper,#fff);stroke-width:7px;stroke-linejoin:round;paint-order:stroke;"
"""Keeps a text readable where it crosses a line."""
FONT = "font:13px/1 system-ui,sans-serif;font-variant-numeric:tabular-nums"
