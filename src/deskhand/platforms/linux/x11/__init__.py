"""X11: windows, input, capture, clipboard, events of one named display.

``connection`` owns a thread per connection and turns what goes wrong into typed errors. ``windows`` reads surfaces in a
few pipelined round trips (``properties``) and ``operations`` asks the window manager. Typing goes from text to
keystrokes in ``layout`` (over ``xkb`` and ``keysyms``), is pressed by ``keyboard``, and waits for its receiver through
``focus``; ``input`` is the face of it. ``clipboard`` and ``events`` live on threads that read events too (``looping``).
"""
