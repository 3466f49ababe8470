"""Board files: what hangs on a console, read and checked here for firmware, page and tracks."""
