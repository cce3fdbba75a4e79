"""Pictures and what binds them: frames, leases over the desktop's layout, marks. No input or output here."""
