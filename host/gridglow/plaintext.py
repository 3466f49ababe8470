"""Text files that people edit or pass on: the one place that knows what an editor may have done to them."""

from __future__ import annotations

import codecs


def decoded(raw: bytes) -> str:
    """The text of a file's bytes: UTF-8, without the mark (BOM) that Notepad and PowerShell put in front, and with
    normal line ends. Raises UnicodeDecodeError, whose ``start`` counts from after the mark."""
    return raw.removeprefix(codecs.BOM_UTF8).decode("utf-8").replace("\r\n", "\n")
