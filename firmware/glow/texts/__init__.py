"""What players read: texts by key, and sentences made of them."""
