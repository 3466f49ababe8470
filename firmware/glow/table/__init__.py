"""A race at the table: what is asked, answered and shown."""
