"""The season that the board keeps."""
