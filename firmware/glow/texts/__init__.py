"""What players read: texts by their keys, and sentences made of them."""
