"""The file system in a Pico's flash: littlefs at the end, as in Gridglow's firmware, read and written on the host."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from gridglow.firmware.frozen import FS_BYTES
from gridglow.virtual.pico import need_emulator
from shared_rules.errors import GridglowError

need_emulator()

import littlefs  # noqa: E402

FLASH_BYTES = 2 * 1024 * 1024
BLOCK_BYTES = 4096
BLOCKS = FS_BYTES // BLOCK_BYTES
FS_OFFSET = FLASH_BYTES - FS_BYTES
PROG_BYTES = 256
# The version that every MicroPython reads; its first write upgrades it to 2.1, for good.
DISK_VERSIONS = (0x00020000, 0x00020001)


class FlashImage:
    """786,432 bytes with a file system. Without `data` it is empty and formatted, as after a first start."""

    def __init__(self, data: bytes | None = None) -> None:
        if data is not None and len(data) != FS_BYTES:
            raise GridglowError(f"The file system of a Pico has {FS_BYTES:,} bytes, this one {len(data):,}; use another.")
        self.data = bytearray(data) if data is not None else bytearray(b"\xff") * FS_BYTES
        if data is None:
            with _Mounted(self, fresh=True):
                pass

    @classmethod
    def bare(cls) -> FlashImage:
        """Flash fresh from the factory: erased. The firmware formats it at its first start."""
        return cls(b"\xff" * FS_BYTES)

    @classmethod
    def from_folder(cls, folder: os.PathLike | str, leave_out: Iterable[str] = ()) -> FlashImage:
        """The files of a device folder. Raises GridglowError if they don't fit."""
        image = cls()
        image.put_folder(folder, leave_out)
        return image

    @classmethod
    def load(cls, path: os.PathLike | str) -> FlashImage:
        """An image written by `save`. Raises GridglowError."""
        try:
            return cls(Path(path).read_bytes())
        except OSError as error:
            raise GridglowError(f"The flash image {path} can't be read ({error.strerror or error}).") from None

    def save(self, path: os.PathLike | str) -> None:
        """Writes the image to a file, completely or not at all. Raises GridglowError."""
        path = Path(path)
        new = path.with_name(path.name + ".new")
        try:
            new.write_bytes(self.data)
            os.replace(new, path)
        except OSError as error:
            raise GridglowError(f"The flash image {path} can't be written ({error.strerror or error}).") from None

    def put_folder(self, folder: os.PathLike | str, leave_out: Iterable[str] = ()) -> None:
        """Writes the files of a folder to the file system; names in `leave_out` (at its top) are left out."""
        top = Path(folder)
        left = set(leave_out) | {"__pycache__"}
        with _Mounted(self) as files:
            for path in sorted(top.rglob("*")):
                words = path.relative_to(top).parts
                if words[0] in left or "__pycache__" in words:
                    continue
                name = "/".join(words)
                try:
                    if path.is_dir():
                        files.makedirs(name, exist_ok=True)
                        continue
                    files.makedirs("/".join(words[:-1]) or "/", exist_ok=True)
                    with files.open(name, "wb") as file:
                        file.write(path.read_bytes())
                except littlefs.LittleFSError as error:
                    raise GridglowError(f"The folder {top} doesn't fit into a Pico's flash, at {name} "
                                        f"({error}); leave out tracks or games.") from None

    def put(self, name: str, content: bytes) -> None:
        """Writes one file, with its parent folders."""
        with _Mounted(self) as files:
            above = name.rpartition("/")[0]
            if above:
                files.makedirs(above, exist_ok=True)
            with files.open(name, "wb") as file:
                file.write(content)

    def read(self, name: str) -> bytes | None:
        """A file's content, or None if it doesn't exist."""
        with _Mounted(self) as files:
            try:
                with files.open(name, "rb") as file:
                    return file.read()
            except FileNotFoundError:
                return None

    def names(self) -> list[str]:
        """The names of all files, such as "save/race", sorted."""
        with _Mounted(self) as files:
            return sorted(
                f"{folder.strip('/')}/{name}".lstrip("/") for folder, _, names in files.walk("/") for name in names
            )

    def to_folder(self, folder: os.PathLike | str, under: str = "") -> list[str]:
        """Copies the files (those in a folder of the image) to a folder of the host; returns their names."""
        done = []
        with _Mounted(self) as files:
            for at, _, names in files.walk("/"):
                for name in names:
                    whole = f"{at.strip('/')}/{name}".lstrip("/")
                    if under and not whole.startswith(under.rstrip("/") + "/"):
                        continue
                    path = Path(folder) / whole
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with files.open(whole, "rb") as file:
                        path.write_bytes(file.read())
                    done.append(whole)
        return sorted(done)

    def free_bytes(self) -> int:
        """The free space in it."""
        with _Mounted(self) as files:
            return (BLOCKS - files.used_block_count) * BLOCK_BYTES


class _Mounted:
    """The file system, mounted for one job; what was written is in the image afterwards."""

    def __init__(self, image: FlashImage, fresh: bool = False) -> None:
        self.image = image
        self.fresh = fresh

    def __enter__(self):
        for version in DISK_VERSIONS:
            context = littlefs.UserContext(FS_BYTES)
            context.buffer = self.image.data
            self._files = littlefs.LittleFS(
                context=context, mount=False, block_size=BLOCK_BYTES, block_count=BLOCKS, prog_size=PROG_BYTES,
                read_size=PROG_BYTES, lookahead_size=32, block_cycles=100, cache_size=1024, disk_version=version)
            if self.fresh:
                self._files.format()
            try:
                self._files.mount()
            except littlefs.LittleFSError as error:
                why = error
            else:
                return self._files
        raise GridglowError(f"There is no file system in this flash ({why}); flash the board again.")

    def __exit__(self, *_) -> None:
        self._files.unmount()
