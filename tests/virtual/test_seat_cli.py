"""``gridglow play --lan``: what it prints, and what it refuses."""

import json

import pytest
from commands import call

from gridglow.cli import page
from gridglow.cli.page import _Serving
from gridglow.virtual import access
from gridglow.virtual.access import NoNetwork


def test_a_race_without_a_page_has_nothing_to_serve():
    result = call("play", "--lan", "--headless", "--bots", "all")
    assert result.exit_code == 2 and "--headless has no page for --lan to serve" in result.stderr


def test_a_computer_without_a_network(monkeypatch):
    def none():
        raise NoNetwork("Expected a local network.")

    monkeypatch.setattr(page, "lan_address", none)
    result = call("play", "--lan", "--engine", "cpython")
    assert result.exit_code == 1 and result.stderr == "gridglow: Expected a local network.\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_both_addresses_are_told(monkeypatch, capsys, as_json):
    monkeypatch.setenv("CI", "1")
    board = type("Board", (), {"id": "full"})
    serving = _Serving(None, board, "cpython", None, None, as_json, "192.0.2.77")
    serving._ready("http://127.0.0.1:8717/")
    out, err = capsys.readouterr()
    if as_json:
        told = json.loads(out)
        assert told["address"] == "http://127.0.0.1:8717/" and told["lan_address"] == "http://192.0.2.77:8717/"
    else:
        assert out == "http://127.0.0.1:8717/\n"
        assert "http://192.0.2.77:8717/" in err and "Seats" in err
    assert serving.lan == "192.0.2.77"


def test_without_lan_the_loopback_alone_is_told(monkeypatch, capsys):
    monkeypatch.setenv("CI", "1")
    serving = _Serving(None, type("Board", (), {"id": "full"}), "cpython", None, None, True)
    serving._ready("http://127.0.0.1:8717/")
    assert json.loads(capsys.readouterr().out)["lan_address"] is None


@pytest.mark.parametrize(("lan", "name"), [("", access.LOOPBACK), ("192.0.2.77", access.EVERYWHERE)])
def test_what_is_listened_on(monkeypatch, lan, name):
    import asyncio

    from gridglow.virtual import server

    asked = []

    def listen(port, where):
        asked.append((port, where))
        raise server.PortTaken("as told")

    monkeypatch.setattr(server, "_listen_on", listen)
    with pytest.raises(server.PortTaken):
        asyncio.run(server.serve(None, None, 8717, lan=lan))
    assert asked == [(8717, name)]
