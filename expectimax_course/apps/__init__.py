"""The live apps: pure modules with ``TITLE``, ``init``, ``update`` and ``view``, on the standard library alone.

``init(**params)`` and ``update(state, event)`` return states that survive JSON, ``view(state)`` returns HTML. An event
is ``{"name": str, "value": ...}``. An event that an app does not know, or whose value makes no sense, leaves the state
as it was or puts one sentence into the view; it never raises. An app that also serves an exercise takes
``update(state, event, student=None)``.
"""
