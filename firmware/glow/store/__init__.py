"""What is kept on the flash: the save of a race, its journal, settings."""
