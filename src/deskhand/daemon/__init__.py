"""The owner process of a desktop: one per desktop, proven by a lock; everyone else is its client over a socket."""
