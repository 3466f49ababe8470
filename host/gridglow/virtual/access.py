"""Who may open what: this computer, its local network, and the people who hold the key of a seat."""

import hmac
import re
import secrets
import socket
from urllib.parse import urlsplit

from aiohttp import web

from shared_rules.errors import GridglowError

LOOPBACK = "127.0.0.1"
LOOPBACK_V6 = "::1"
EVERYWHERE = "0.0.0.0"
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")

#: What a page may do: everything; only its own seat's; only look.
TABLE, SEAT, WATCH = "table", "seat", "watch"


class NoNetwork(GridglowError):
    """This computer has no address that a phone could reach; one sentence."""


def lan_address() -> str:
    """Return the address of this computer in its local network. Sends nothing. Raises NoNetwork."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Connecting a datagram socket only asks the routing table; the address is one of those kept for documents.
        probe.connect(("192.0.2.1", 9))
        address = probe.getsockname()[0]
    except OSError:
        address = ""
    finally:
        probe.close()
    if not address or address.startswith("127.") or address == EVERYWHERE:
        raise NoNetwork(
            "Expected a local network for --lan, but this computer has no address in one; connect it, or leave out --lan."
        )
    return address


class Access:
    """The names under which the page is served, and who is at this computer.

    `lan` is this computer's address in the local network, or "" for the loopback address only.
    """

    def __init__(self, lan: str = "") -> None:
        self.lan = lan
        self.names = (*OWN_NAMES, lan) if lan else OWN_NAMES
        self.port = 0  # the server knows it once it listens

    def check(self, request: web.Request) -> None:
        """Raise HTTPForbidden for a request under a name that isn't ours (another page's name may lead here)."""
        if _name_of(request.host) in self.names:
            return
        if self.lan:
            say = f"This page is served at this computer's own addresses only: open {self.address(self.lan)}"
        else:
            say = "This page is served to this computer only: open http://127.0.0.1 with the port."
        raise web.HTTPForbidden(text=say + "\n")

    def check_origin(self, request: web.Request) -> None:
        """Raise HTTPForbidden where another page than ours opens a websocket."""
        origin = request.headers.get("Origin")
        if origin is not None and _host_of(origin) != request.host.lower():
            raise web.HTTPForbidden(text="Only Gridglow's own page may talk to the board.\n")

    def at_this_computer(self, request: web.Request) -> bool:
        """Whether the browser runs here: it came over the loopback, and under a name of it."""
        peer = request.transport.get_extra_info("peername") if request.transport else None
        return bool(peer) and (peer[0].startswith("127.") or peer[0] == LOOPBACK_V6) and _name_of(request.host) in OWN_NAMES

    def address(self, name: str = "") -> str:
        """Return the page's address under a name of ours; without one the name that reaches farthest."""
        return f"http://{name or self.lan or LOOPBACK}:{self.port}/"


def _host_of(origin: str) -> str:
    """Name and port of an origin; "" where it has none or is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _name_of(host: str) -> str:
    return re.sub(r":\d+$", "", host).lower()


class SeatKeys:
    """A random key for each seat of a person. They hold while the list of players stays the same.

    Keys stand in links and QR codes only: in no message, log or file.
    """

    def __init__(self) -> None:
        self._players: list | None = None
        self._keys: dict[int, str] = {}

    def take(self, players: list) -> bool:
        """Take the players of a ``race`` message ([kind, name] a seat); return whether older keys have ended.

        A board in its menu names nobody: then the keys wait for the next race.
        """
        players = [list(player) if len(player) == 2 else ["", ""] for player in players]
        if not players or players == self._players:
            return False
        ended = bool(self._keys)
        self._players = players
        self._keys = {
            seat: secrets.token_urlsafe(16) for seat, (kind, _name) in enumerate(players, 1) if kind == "person"
        }
        return ended

    def seat_of(self, key: str) -> int:
        """Return the seat whose key this is, or 0. Takes as long for a key that is nearly right as for any other."""
        found = 0
        given = key.encode("utf-8", "surrogatepass")
        for seat, own in self._keys.items():
            if hmac.compare_digest(given, own.encode()):
                found = seat
        return found

    def links(self) -> list[tuple[int, str, str]]:
        """Return (seat, name, path of its page) of each person."""
        return [(seat, str(self._players[seat - 1][1]), f"seat/{key}") for seat, key in self._keys.items()]
