"""Who may open what: keys of seats, the local network, and what a seat's page, a watcher and the table may send."""

import asyncio
import http.client
import json
import logging
import socket

import aiohttp
import page_talk
import pytest
from page_talk import links, talk

from browser import fake_board
from gridglow.virtual import access
from gridglow.virtual.access import Access, NoNetwork, SeatKeys, lan_address

LAN = "192.0.2.77"  # an address reserved for documentation: nobody has it
PLAYERS = [["person", "Ann"], ["person", "Zoë"], ["bot", "Bo"]]
SETUP = {"game": "ring_game", "track": "fabulous-driving-park", "laps": 2, "players": PLAYERS}


def get(board, path, host=None):
    """The server's response to somebody who calls it by this name."""
    return page_talk.get(board, path, {"Host": host} if host else None)


def asked(seat):
    return lambda m: m["t"] == "prompts" and m["list"] and m["list"][0]["seat"] == seat


@pytest.fixture
def quick(tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as running:
        yield running


def has_v6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as one:
            one.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_v6(), reason="this computer has no ::1")
def test_the_other_loopback_is_this_computer_too(quick):
    """Browsers that are told "localhost" may try ::1 first."""
    port = int(quick.address.rstrip("/").rsplit(":", 1)[1])
    for host in (f"[::1]:{port}", f"localhost:{port}"):
        connection = http.client.HTTPConnection("::1", port, timeout=20)
        connection.request("GET", "/seats.json", headers={"Host": host})
        assert connection.getresponse().status == 200, "it must be the table's own page, not one that only watches"
    connection = http.client.HTTPConnection("::1", port, timeout=20)
    connection.request("GET", "/", headers={"Host": "gridglow.example"})
    assert connection.getresponse().status == 403


def test_a_taken_port_of_the_other_loopback_is_no_fault(tmp_path):
    from gridglow.virtual.server import _listen_on_v6

    if not has_v6():
        pytest.skip("this computer has no ::1")
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as other:
        other.bind(("::1", 0))
        other.listen(1)
        assert _listen_on_v6(other.getsockname()[1]) == []


@pytest.fixture
def secret(tmp_path):
    with fake_board(tmp_path, "--quick", "--secret", start=SETUP) as running:
        yield running


@pytest.fixture
def lan(tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP, lan=LAN) as running:
        yield running


def test_each_person_has_a_link_and_a_code(quick):
    links(quick)
    status, text, headers = get(quick, "/seats.json")
    found = json.loads(text)
    assert status == 200 and headers["Cache-Control"] == "no-store" and found["lan"] is False
    assert [(row["seat"], row["name"]) for row in found["seats"]] == [(1, "Ann"), (2, "Zoë")]  # a bot needs none
    keys = [row["link"].rsplit("/", 1)[1] for row in found["seats"]]
    assert len(set(keys)) == 2 and all(len(key) >= 22 for key in keys)
    for row in found["seats"]:
        assert row["link"].startswith(quick.address + "seat/") and row["qr"].startswith("data:image/svg+xml")


def test_a_seat_has_a_page_and_a_wrong_key_has_none(quick):
    path = links(quick)[1]
    status, text, headers = get(quick, path)
    assert status == 200 and "/static/seat.js" in text and headers["Cache-Control"] == "no-store"
    assert path.rsplit("/", 1)[1] not in text
    for wrong in ("/seat/x", path[:-1], path + "A", "/seat/%C3%BC", "/seat/" + "A" * 3000):
        for end in ("", "/ws"):
            status, text, _ = get(quick, wrong + end)
            assert status == 404, wrong
            assert text.count("<p>") == 1 and "This link doesn't belong to a seat in this race" in text
    assert get(quick, "/seat/")[0] == 404


def test_keys_stay_while_the_players_do():
    keys = SeatKeys()
    assert keys.links() == [] and keys.seat_of("") == 0
    assert keys.take(PLAYERS) is False
    first = keys.links()
    assert keys.take([]) is False and keys.take([tuple(one) for one in PLAYERS]) is False
    assert keys.links() == first
    key = first[1][2].split("/")[1]
    assert keys.seat_of(key) == 2 and keys.seat_of(key[:-1]) == 0 and keys.seat_of("ü\udc80") == 0
    assert keys.take(PLAYERS[:2]) is True
    assert keys.seat_of(key) == 0 and len(keys.links()) == 2


def test_other_players_end_the_pages_of_those_before(quick):
    path = links(quick)[1]

    async def run():
        async with talk(quick, path) as seat, talk(quick) as table:
            await seat.kind("snapshot")
            again = {**SETUP, "players": [["person", "Eve"], ["bot", "Bo"]]}
            assert (await table.reply({"t": "start", "setup": again}))["t"] == "ok"
            frame = None
            while frame is None or frame.type == aiohttp.WSMsgType.TEXT:
                frame = await asyncio.wait_for(seat.socket.receive(), 10)
                assert "Eve" not in str(frame.data)
            assert (frame.type, frame.data) == (aiohttp.WSMsgType.CLOSE, 4001)

    asyncio.run(run())
    assert get(quick, path)[0] == 404
    assert list(links(quick)) == [1]


def test_a_seats_page_answers_for_its_seat_only(quick):
    paths = links(quick)

    async def run():
        async with talk(quick, paths[1]) as one, talk(quick, paths[2]) as two:
            assert (await one.kind("you")) == {"t": "you", "role": "seat", "seat": 1}
            prompt = (await one.until(asked(1)))["list"][0]
            await two.until(asked(1))
            roll = {"t": "answer", "serial": prompt["serial"], "text": "roll"}
            refused = await two.reply({**roll, "seat": 1})
            assert refused["say"] == "This page is for seat 2 only, not for seat 1."
            refused = await two.reply({"t": "why", "seat": 1})
            assert refused["say"] == "This page is for seat 2 only, not for seat 1."
            refused = await two.reply({"t": "answer", "seat": 2, "serial": 0, "text": "Source dice table"})
            assert refused["say"].startswith("Who rolls the dice applies to the whole table")
            refused = await two.reply({"t": "answer", "seat": 2, "serial": 0, "text": "undo"})
            assert "taken back" in refused["say"]
            for kind in ({"t": "key", "p": 2, "k": "UNDO", "d": 1}, {"t": "start", "setup": SETUP}, {"t": "resume"},
                         {"t": "journal"}, {"t": "view", "seat": 2}):
                refused = await two.reply(kind)
                assert refused["t"] == "no" and "that is for the board's computer" in refused["say"]
            assert (await two.reply({"t": "stop"}))["t"] == "no"
            assert (await one.reply({**roll, "seat": 1}))["t"] == "ok"
            await two.until(lambda m: m["t"] == "line" and m["i"] == 1)
            assert not [m for m in one.seen + two.seen if m["t"] == "px"]  # a phone draws no LEDs

    asyncio.run(run())


def test_what_a_seat_holds_reaches_its_page_alone(secret, caplog):
    caplog.set_level(logging.DEBUG)
    paths = links(secret)

    async def run():
        async with talk(secret, paths[1]) as one, talk(secret, paths[2]) as two, talk(secret) as table:
            prompt = (await one.until(asked(1)))["list"][0]
            await one.until(lambda m: m["t"] == "view" and m["private"] == ["HAND-1"])
            await one.reply({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"})
            view = await one.until(lambda m: m["t"] == "view" and m["prompt"] and m["prompt"]["secret"])
            assert view["prompt"]["choices"] == ["flip none", "flip 1", "flip 2"]
            assert view["prompt"]["labels"][0].startswith("SECRET-1 ")
            shown = await one.until(lambda m: m["t"] == "show" and m["private"] == 1)
            assert "HAND-1" in shown["lines"]
            hidden = await two.until(lambda m: m["t"] == "show" and m["private"] == 1)
            assert [line for line in hidden["lines"] if line] == ["hidden"]
            async with talk(secret) as late, talk(secret, paths[2]) as late_seat:
                await late.kind("snapshot")
                await late_seat.until(lambda m: m["t"] == "view")
                serial = view["prompt"]["serial"]
                refused = await table.reply({"t": "why", "seat": 1})
                assert refused["t"] == "no"
                assert (await one.reply({"t": "answer", "seat": 1, "serial": serial, "text": "flip 1"}))["t"] == "ok"
                for other in (two, table, late, late_seat):
                    await other.until(lambda m: m["t"] == "line" and m["i"] == 2)
                everything = [(other, json.dumps(other.seen)) for other in (two, table, late, late_seat)]
            for other, text in everything:
                assert "HAND-1" not in text and "SECRET-1" not in text and "flip 1" not in text
                for path in paths.values():
                    assert path.rsplit("/", 1)[1] not in text
                assert ("HAND-2" in text) == (other in (two, late_seat))
            assert not [m for m in table.seen + late.seen if m["t"] == "view"]
            assert "HAND-2" not in json.dumps(one.seen)

    asyncio.run(run())
    for kept in (json.dumps(secret.messages), caplog.text):
        assert "HAND-" not in kept and "SECRET-" not in kept
        assert not [path for path in paths.values() if path.rsplit("/", 1)[1] in kept]
    # "flip 1" was answered in secret: the journal for everybody doesn't reveal it
    assert "sealed" in get(secret, "/journal")[1] and "flip 1" not in get(secret, "/journal")[1]


def test_nobody_is_asked_for_a_view_without_a_keyed_page(secret):
    asks = []
    send = secret.engine.send
    secret.engine.send = lambda message: asks.append(message["t"]) or send(message)

    async def run():
        async with talk(secret) as table:
            prompt = (await table.until(asked(1)))["list"][0]
            await table.reply({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"})
            await asyncio.sleep(0.4)

    asyncio.run(run())
    assert "answer" in asks and "view" not in asks


def test_in_the_local_network_others_watch(lan):
    path = links(lan)[1]
    port = lan.address.rstrip("/").rsplit(":", 1)[1]
    host = f"{LAN}:{port}"
    assert json.loads(get(lan, "/seats.json")[1])["seats"][0]["link"].startswith(f"http://{host}/seat/")
    assert get(lan, "/", host)[0] == 200 and get(lan, path, host)[0] == 200 and get(lan, "/static/app.js", host)[0] == 200
    status, text, _ = get(lan, "/seats.json", host)
    assert status == 403 and text.count("\n") == 1
    for foreign in ("evil.example", "192.0.2.78", f"{LAN}.evil.example:{port}", f"evil.example#{LAN}"):
        status, text, _ = get(lan, "/", foreign)
        assert status == 403 and f"http://{host}/" in text

    async def run():
        async with talk(lan, Host=host, Origin=f"http://{host}") as watcher, talk(lan) as table:
            assert (await watcher.kind("you")) == {"t": "you", "role": "watch", "seat": 0}
            assert (await table.kind("you"))["role"] == "table"
            prompt = (await watcher.until(asked(1)))["list"][0]
            roll = {"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"}
            for message in (roll, {"t": "key", "p": 1, "k": "OK", "d": 1}, {"t": "why", "seat": 1}, {"t": "resume"},
                            {"t": "start", "setup": SETUP}, {"t": "view", "seat": 1}):
                refused = await watcher.reply(message)
                assert refused["t"] == "no" and refused["say"].startswith("This page can only watch")
            async with talk(lan, path, Host=host, Origin=f"http://{host}") as seat:
                assert (await seat.kind("you"))["role"] == "seat"
                assert (await seat.reply(roll))["t"] == "ok"
            await watcher.until(lambda m: m["t"] == "line" and m["i"] == 1)
            assert not [m for m in watcher.seen if m["t"] == "view"]
        for origin in ("http://evil.example", f"http://127.0.0.1:{port}", "null"):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                async with talk(lan, path, Host=host, Origin=origin):
                    pass

    asyncio.run(run())


def test_the_loopback_alone_is_the_default(quick):
    port = int(quick.address.rstrip("/").rsplit(":", 1)[1])
    assert get(quick, "/", f"{LAN}:{port}")[0] == 403
    assert Access().names == access.OWN_NAMES


class _Probe:
    """A datagram socket that uses no network."""

    def __init__(self, address):
        self.address = address

    def __call__(self, *_):
        return self

    def connect(self, target):
        assert target[0].startswith("192.0.2.")
        if not self.address:
            raise OSError("no network")

    def getsockname(self):
        return (self.address, 1)

    def close(self):
        pass


@pytest.mark.parametrize("address", ["", "127.0.0.1", "0.0.0.0"])
def test_a_computer_without_a_network_says_so(monkeypatch, address):
    monkeypatch.setattr(access.socket, "socket", _Probe(address))
    with pytest.raises(NoNetwork, match="leave out --lan"):
        lan_address()


def test_the_address_in_the_network(monkeypatch):
    monkeypatch.setattr(access.socket, "socket", _Probe("192.168.1.20"))
    assert lan_address() == "192.168.1.20"
    lan = Access("192.168.1.20")
    lan.port = 8717
    assert lan.address() == "http://192.168.1.20:8717/" and lan.address("127.0.0.1") == "http://127.0.0.1:8717/"
