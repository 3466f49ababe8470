"""Has `import` find modules that lie together in one file, a folder's in NAME.code: each file of its own would take a block
of 4,096 bytes of the flash.

    glow/app.mpy in glow.code, shared_rules/games/racing_rules/rules.mpy in racing_rules.code

Such a file begins with the length of its index in four digits; then come a line `NAME PLACE` for each module, and the
modules. What isn't in it is looked for as shared_rules/FOLDER/NAME.mpy: there the host puts what proves the rules for a
while. Each folder's own module says that it lies at the top (`__path__`), as paths stay in the heap.
"""

import os


class CodeFiles:
    """A file system with only what `import` asks for. `root`: where the files are, a path that ends in "/"."""

    def __init__(self, root):
        self.root = root

    def mount(self, readonly, mkfs):
        """Nothing to do."""

    def stat(self, path):
        """A folder for what has a file of modules, a file for each name in one that could be a module's. Raises OSError, and
        soon: whatever is imported, MicroPython's own modules too, is looked for here three times."""
        depth = path.count("/")
        if path[-4:] == ".mpy" and depth > 1:
            return (0x8000, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        if path in "/glow/hal/drivers/shared_rules/games" or path[:7] == "/games/" and depth < 3 and path[-3:] != ".py":
            os.stat(self.root + path.rsplit("/", 1)[1] + ".code")
            return os.stat(self.root)
        raise OSError(2)

    def ilistdir(self, path):
        """Nothing: who lists the root of the board comes by here, too."""
        return iter(())

    def open(self, path, mode):
        """The file with a module, read up to where that begins. Raises ImportError."""
        words = path.rsplit("/", 2)
        try:
            file = open(self.root + words[1] + ".code", mode)
            index = file.read(int(file.read(4)))
            name = b"\n" + words[2][:-4].encode() + b" "
            at = index.find(name)
            if at < 0:
                file.close()
                return open(self.root + "shared_rules" + path, mode)
            at += len(name)
            file.seek(int(index[at:at + 6]))
            return file
        except OSError:
            raise ImportError(path)
