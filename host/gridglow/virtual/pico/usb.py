"""The computer at the other end of the emulated USB cable, behaving like a real one.

rp2040py's own host answers an endpoint that waits for bytes at once, with an empty packet if it has none. The
firmware takes it, waits again, is answered again: an endless storm of interrupts that slows everything else down 2.85
times. A real host answers NAK until it has bytes. So does this one: a waiting endpoint is left waiting.
"""

from __future__ import annotations

from collections.abc import Callable

from rp2040py.usb.cdc import USBCDC


class SerialHost(USBCDC):
    """The host's side of the serial port: `write` sends bytes to the board, `on_output` gets the board's output.

    Set `on_output` before the board starts: unread output is lost. With `reading` False the
    host has the port open but reads nothing: the board's output stays in the board, as with a hanging program.
    """

    PACKET_BYTES = 64
    # A packet of 64 bytes on a full-speed bus, with its token and handshake.
    PACKET_US = 50

    def __init__(self, usb, on_output: Callable[[bytes], None]) -> None:
        super().__init__(usb)
        self.connected = False
        self.received = 0
        self.sent = 0
        self._reading = True
        self._held: list[tuple[int, int]] = []
        self._waiting = bytearray()
        self._room = 0  # how much the waiting endpoint takes, 0 if none waits
        self._answer_others = usb.on_endpoint_read
        self._take_packet = usb.dpram_updated
        self._forget = usb.on_reset
        usb.on_endpoint_read = self._endpoint_waits
        usb.dpram_updated = self._packet_ready
        usb.on_reset = self._dropped
        self.on_serial_data = self._take
        self.on_device_connected = self._there
        self._on_output = on_output

    @property
    def waiting(self) -> int:
        """How many bytes the board hasn't taken yet."""
        return len(self._waiting)

    def write(self, data: bytes) -> None:
        """Sends bytes to the board; they wait here until it takes them."""
        self._waiting += data
        self._deliver()

    def discard(self) -> None:
        """Discards what the board hasn't taken."""
        self._waiting.clear()

    @property
    def reading(self) -> bool:
        """Whether the host reads the board's output."""
        return self._reading

    @reading.setter
    def reading(self, reads: bool) -> None:
        self._reading = reads
        if reads:
            held, self._held = self._held, []
            for offset, value in held:
                self._take_packet(offset, value)

    def _endpoint_waits(self, endpoint: int, size: int) -> None:
        if endpoint != self._out_endpoint or endpoint <= 0:
            self._answer_others(endpoint, size)
            return
        self._room = size
        self._deliver()

    def _deliver(self) -> None:
        if not self._room or not self._waiting:
            return
        size = min(self._room, self.PACKET_BYTES)
        packet = bytes(self._waiting[:size])
        del self._waiting[:size]
        self._room = 0
        self.sent += len(packet)
        self.usb.endpoint_read_done(self._out_endpoint, packet, self.PACKET_US)

    def _packet_ready(self, offset: int, value: int) -> None:
        """The board offers a packet (or waits for one): held back if the host isn't reading."""
        if not self._reading and self._in_endpoint > 0 and offset == 0x80 + 8 * self._in_endpoint:
            self._held.append((offset, value))
            return
        self._take_packet(offset, value)

    def _take(self, data) -> None:
        self.received += len(data)
        if data:
            self._on_output(bytes(data))

    def _there(self) -> None:
        self.connected = True

    def _dropped(self) -> None:
        self.connected = False
        self._room = 0
        self._held.clear()
        self._waiting.clear()
        self._forget()
