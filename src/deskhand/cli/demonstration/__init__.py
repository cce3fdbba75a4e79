"""What ``deskhand demo`` is made of: a document, a scripted agent, what is printed, the report."""
