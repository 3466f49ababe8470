"""Who may open what: this computer, its local network, and the people with a seat's key."""

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

#: What a page may do: everything; only its own seat's part; only watch.
TABLE, SEAT, WATCH = "table", "seat", "watch"


class NoNetwork(GridglowError):
    """This computer has no address that a phone could reach; one sentence."""


def lan_address() -> str:
    """Returns this computer's address in its local network. Sends nothing. Raises NoNetwork."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # Connecting a datagram socket only consults the routing table; the address is reserved for documentation.
        probe.connect(("192.0.2.1", 9))
        address = probe.getsockname()[0]
    except OSError:
        address = ""
    finally:
        probe.close()
    if not address or address.startswith("127.") or address == EVERYWHERE:
        raise NoNetwork(
            "Expected a local network for --lan, but this computer isn't in one; connect it, or leave out --lan."
        )
    return address


class Access:
    """The names under which the page is served, and who is at this computer.

    `lan` is this computer's address in the local network, or "" for the loopback address only.
    """

    def __init__(self, lan: str = "") -> None:
        self.lan = lan
        self.names = (*OWN_NAMES, lan) if lan else OWN_NAMES
        self.port = 0  # set once the server listens

    def check(self, request: web.Request) -> None:
        """Raises HTTPForbidden for a request under a foreign name (another page's name may lead here)."""
        if _name_of(request.host) in self.names:
            return
        if self.lan:
            say = f"This page is served at this computer's own addresses only: open {self.address(self.lan)}"
        else:
            say = "This page is served to this computer only: open http://127.0.0.1 with the port."
        raise web.HTTPForbidden(text=say + "\n")

    def check_origin(self, request: web.Request) -> None:
        """Raises HTTPForbidden if another page opens a websocket."""
        origin = request.headers.get("Origin")
        if origin is not None and _host_of(origin) != request.host.lower():
            raise web.HTTPForbidden(text="Only Gridglow's own page may talk to the board.\n")

    def at_this_computer(self, request: web.Request) -> bool:
        """Whether the browser runs here: the request came over the loopback, under one of its names."""
        peer = request.transport.get_extra_info("peername") if request.transport else None
        return bool(peer) and (peer[0].startswith("127.") or peer[0] == LOOPBACK_V6) and _name_of(request.host) in OWN_NAMES

    def address(self, name: str = "") -> str:
        """The page's address under one of our names; by default the name that reaches farthest."""
        return f"http://{name or self.lan or LOOPBACK}:{self.port}/"


def _host_of(origin: str) -> str:
    """The name and port of an origin; "" if it has none or is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _name_of(host: str) -> str:
    return re.sub(r":\d+$", "", host).lower()


class SeatKeys:
    """A random key for each person's seat. Keys stay valid while the list of players stays the same.

    Keys appear in links and QR codes only: in no message, log or file.
    """

    def __init__(self) -> None:
        self._players: list | None = None
        self._keys: dict[int, str] = {}

    def take(self, players: list) -> bool:
        """Takes the players of a ``race`` message ([kind, name] per seat); returns whether older keys have expired.

        A board in its menu has no players: then the keys wait for the next race.
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
        """The seat with this key, or 0. Takes equally long for an almost correct key as for any other."""
        found = 0
        given = key.encode("utf-8", "surrogatepass")
        for seat, own in self._keys.items():
            if hmac.compare_digest(given, own.encode()):
                found = seat
        return found

    def links(self) -> list[tuple[int, str, str]]:
        """(seat, name, path of its page) for each person."""
        return [(seat, str(self._players[seat - 1][1]), f"seat/{key}") for seat, key in self._keys.items()]
