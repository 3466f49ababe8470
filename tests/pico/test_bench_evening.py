"""The board watched from outside: its heap in an invented RAM, collections, ticks, the menu's keys, rows."""

import json
import os
import struct

import pytest
from commands import call
from own_pico import TEST_S, needs_sources, own_uf2

from gridglow.boards.boardfile import load_board
from gridglow.tracks import list_tracks
from gridglow.virtual.pico import heap
from gridglow_workshop.bench import evening_pico, watch_pico
from gridglow_workshop.commands.bench_pico import evening_rows
from shared_rules import games

RAM_BYTES = 0x8000
RECORD, TABLE, TABLE_BYTES = 0x100, 0x204, 256
POOL = heap.RAM_BEGIN + 0x400
FREE, HEAD, TAIL, MARK = range(4)


def ram_of(kinds=(), more=1):
    """A RAM with a heap of 1024 blocks, the first of these kinds; `more`: tables after that of the blocks."""
    ram = bytearray(RAM_BYTES)
    table = heap.RAM_BEGIN + TABLE
    record = [table, TABLE_BYTES, *[table + TABLE_BYTES + 1 + 128 * place for place in range(more)],
              POOL, POOL + 64 * TABLE_BYTES]
    struct.pack_into(f"<{len(record)}I", ram, RECORD, *record)
    for block, kind in enumerate(kinds):
        ram[TABLE + block // 4] |= kind << 2 * (block % 4)
    return ram


@pytest.mark.parametrize("more", [0, 1, 2])
def test_the_table_is_found_by_the_numbers_of_its_record(more):
    table = heap.find(ram_of(more=more))
    assert table == heap.HeapTable(heap.RAM_BEGIN + TABLE, TABLE_BYTES, POOL, POOL + 16_384)
    assert table.bytes == 16_384


def test_no_table_is_found_where_nothing_fits_or_too_much():
    assert heap.find(bytes(RAM_BYTES)) is None
    ram = ram_of()
    struct.pack_into("<I", ram, RECORD + 4, TABLE_BYTES + 1)   # another length than the pool's
    assert heap.find(ram) is None
    twice = ram_of()
    struct.pack_into("<5I", twice, 0x7000, heap.RAM_BEGIN + 0x300, 256, heap.RAM_BEGIN + 0x401, POOL + 0x100, POOL + 0x4100)
    assert heap.find(twice) is None


def test_free_blocks_are_counted_and_marks_seen():
    used = [HEAD, TAIL, TAIL, FREE, HEAD]
    ram = ram_of(used)
    table = heap.find(ram)
    assert table.read(ram) == (16 * (1024 - 4), False)
    marked = ram_of([MARK, *used[1:]])
    assert table.read(marked) == (16 * (1024 - 4), True)
    # The last bits of one byte and the first of the next are no mark.
    assert table.read(ram_of([FREE, FREE, FREE, HEAD, TAIL]))[1] is False
    assert len(table.words(ram)) == 4096


def test_a_collection_is_told_by_its_marks_and_what_it_has_left_by_the_most_after_it():
    seen = heap.Collections()
    looks = [(0, 900, False), (4000, 500, False), (8000, 400, True), (8250, 400, True), (20_000, 700, True),
             (20_250, 800, False), (20_500, 950, False), (21_000, 940, False)]
    assert [seen.take(*look) for look in looks] == [None] * len(looks) and seen.watches and seen.count == 0
    assert seen.take(22_250, 930, False) == 950
    assert (seen.count, seen.longest_us, seen.watches) == (1, 12_250, False)
    seen.take(30_000, 300, True)
    seen.take(31_000, 600, False)
    assert seen.take(31_500, 590, True) == 600     # another one begins at once
    assert seen.watches and seen.count == 2


def test_the_least_of_each_state_and_of_all():
    least = watch_pico.Least()
    assert least.least() == ("", 0, 0.0)
    for state, figure, at_us in (("idle", 90, 1), ("race", 70, 2), ("race", 50, 3), ("race", 60, 4), ("podium", 80, 5)):
        least.take(state, figure, at_us)
    assert least.least() == ("race", 50, 3) and least.of["idle"] == (90, 1)


def test_ticks_between_two_feeds_and_up_to_the_last():
    ticks = watch_pico.Ticks()
    for at_us, state in ((1000, "start"), (6000, "start"), (90_000, "race"), (95_000, "race")):
        ticks.feed(at_us, at_us // 1000, state)
    ticks.stop(125_000)
    ticks.stop(300_000)
    assert [one[:2] for one in ticks.all] == [(5000, "start"), (84_000, "start"), (5000, "race"), (30_000, "race")]
    assert watch_pico.spread(ticks.all) == {"count": 4, "p99_us": 84_000, "most_us": 84_000, "state": "start",
                                            "at_us": 6000}
    assert watch_pico.spread([])["count"] == 0


def test_the_first_tick_of_a_start_comes_before_its_message():
    told = ["menu", "podium", "start", "race", "greeting in race"]
    assert [watch_pico.while_watched(state) for state in told] == ["start", "start", *told[2:]]


def test_the_word_that_agrees_with_the_watchdog_tells_the_ticks_before():
    ram = ram_of()
    table = heap.find(ram)
    at = POOL - heap.RAM_BEGIN
    clocks = watch_pico.ClockWords()

    def put(place, ms):
        struct.pack_into("<I", ram, at + 4 * place, 2 * ms + 1)

    def put_all(begun):
        put(3, begun)                              # when the tick began
        put(9, begun - begun % 50)                 # now and then
    put_all(1000)
    put(40, 500)                                   # long ago
    put(50, 999)                                   # no clock: it soon means something else
    clocks.seek(table, ram, 1001)
    begins = [1006, 1011, 1100, 1105, *range(2000, 2400, 5)]
    for begun in begins:
        put_all(begun)
        put(50, 7)
        clocks.look(ram, begun + 1)
    feeds = list(range(2001, 2400, 5))             # within a millisecond of what the word says
    assert clocks.ticks(feeds) == [1000, *begins]
    assert clocks.ticks(feeds[:10]) == []
    assert clocks.ticks([feed + 2 for feed in feeds]) == []


class Menu:
    """The board's menu as it is after a start (`glow.menu.setup`), for a list of tracks; `rows` are [values, value]."""

    def __init__(self, index):
        self.index = index
        self.at, self.editing = 0, False
        self.take_game(games.NAMES[0])

    def take_game(self, game):
        about = games.about(game)
        tracks = [one["id"] for one in self.index if one["game"] == game]
        self.laps = 3 if about.LAPS else 0         # its place
        self.rows = [[list(games.NAMES), game], [list(about.VARIANTS), about.VARIANTS[0]], [tracks, tracks[0]]]
        self.rows += [[list(range(1, 100)), 0]] if about.LAPS else []
        self.rows += [[list(values), default] for _, values, default in about.OPTIONS]
        self.rows += [[["person", "bot", "empty"], "person" if place < 2 else "empty"] for place in range(about.SEATS[1])]
        self.take_laps()

    def take_laps(self):
        if self.laps:
            self.rows[self.laps][1] = next(one["laps"] for one in self.index if one["id"] == self.rows[2][1])

    def press(self, key):
        if key in ("OK", "UNDO"):
            self.editing = key == "OK"
            return
        step = 1 if key == "NEXT" else -1
        if not self.editing:
            self.at += step
            return
        values, value = self.rows[self.at]
        self.rows[self.at][1] = values[(values.index(value) + step) % len(values)]
        if self.at == 0:
            self.take_game(self.rows[0][1])
        elif self.at == 2:
            self.take_laps()


@pytest.mark.parametrize("game", games.NAMES)
def test_the_keys_set_up_a_games_largest_race(game):
    start = evening_pico.largest(load_board("full"), game)
    setup, about = start.setup, games.about(game)
    assert (setup.variant, len(setup.players)) == (about.VARIANTS[-1], about.SEATS[1])
    ordered = sorted(list_tracks(), key=lambda one: (one.game, one.number, one.id))
    menu = Menu([{"game": one.game, "id": one.id, "laps": one.laps} for one in ordered])
    for key in evening_pico.keys_of(start, menu.index):
        menu.press(key)
    assert menu.at == -1 and not menu.editing      # the last row, above the first
    laps = [1] if about.LAPS else []
    options = [dict(setup.options)[key] for key, _, _ in about.OPTIONS]
    assert [value for _, value in menu.rows] == [
        game, setup.variant, setup.track, *laps, *options, *["bot"] * len(setup.players)]


def test_start_lights_are_red():
    assert evening_pico.all_red(bytes((7, 7, 7, 9, 0, 0, 8, 0, 0)), [1, 2])
    for other in ((0, 0, 0, 0, 0, 0), (9, 0, 0, 9, 1, 0), (9, 0, 0, 0, 0, 0)):
        assert not evening_pico.all_red(bytes(other), [0, 1])
    rows = {game: evening_pico.first_row(evening_pico.largest(load_board("full"), game).track.track, load_board("full"))
            for game in games.NAMES}
    assert len(rows["moto_grand_prix"]) == 3 and all(rows.values())


def found_of(**more):
    one = {"bytes": 110_000, "percent": 45.5, "state": "race", "at_us": 9_000_000, "states": {}}
    ticks = {"count": 90, "p99_us": 30_000, "most_us": 80_000, "state": "race", "at_us": 1}
    return {"game": "racing_rules", "variant": "race-6", "track": "house-board", "seats": 6, "races": 1, "podium": False,
            "starts": [{"light_us": 20_000, "first_us": 1_100_000}], "heap": 241_920, "raw": {**one, "percent": 30.0},
            "after": one, "collections": 77, "collection_us": 20_000, "lit_us": 700_000, "text_us": 1_200_000,
            "ticks": {"menu": {**ticks, "most_us": 900_000}, "greeting in idle": ticks,
                      "greeting in race": ticks, "start": ticks, "race": {**ticks, "most_us": 90_000}},
            "stops": 0, "bad_frames": 0, **more}


def test_rows_of_an_evening_stand_beside_their_budgets():
    rows = {row[0]: row[1:] for row in evening_rows(found_of(), 1.15)}
    assert all(what.startswith("racing_rules: ") for what in rows)
    rows = {what.removeprefix("racing_rules: "): row for what, row in rows.items()}
    assert rows["race-6 on house-board, 6 bots"] == ["1 race", "", ""]
    assert rows["least free after any of 77 collections"] == [
        "110,000 bytes, 45.5 % (race, 10.3 s)", "at least 45 %", "holds"]
    assert rows["least free at any moment"][1:] == ["at least 30 %", "holds"]
    assert rows["power to a lit pixel"] == ["805.0 ms", "at most 900 ms", "holds"]
    assert rows["power to the text on the display"] == ["1380.0 ms", "at most 1500 ms", "holds"]
    assert rows['OK on "start" to its light'] == ["23.0 ms", "at most 300 ms", "holds"]
    assert rows["to the first start light"] == ["1265.0 ms", "at most 1200 ms", "FAILS"]
    assert rows["ticks in 'menu': 99th percentile, longest of 90"] == ["34.5 ms, 1035.0 ms", "", ""]
    assert rows["ticks in 'greeting in idle': 99th percentile, longest of 90"][2] == "holds"
    assert rows["ticks in 'race': 99th percentile, longest of 90"] == ["34.5 ms, 103.5 ms", "at most 100 ms", "FAILS"]
    assert rows["wrong frames, restarts"] == ["0, 0", "none", "holds"]


def test_what_was_not_seen_does_not_hold():
    found = found_of(lit_us=0, stops=1)
    del found["ticks"]["greeting in idle"]
    rows = {row[0].removeprefix("racing_rules: "): row[1:] for row in evening_rows(found, 1.15)}
    assert rows["power to a lit pixel"] == ["not seen", "at most 900 ms", "FAILS"]
    assert rows["ticks in 'greeting in idle'"] == ["not seen", "at most 100 ms", "FAILS"]
    assert rows["wrong frames, restarts"][2] == "FAILS"


def test_the_command_watches_the_games_that_are_named(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr("gridglow.firmware.built.find", lambda named: named)
    monkeypatch.setattr(evening_pico, "measure_evening", lambda *words: asked.append(words[2:6]) or found_of())
    file = tmp_path / "board.uf2"
    file.write_bytes(b"")
    words = ("bench", "--engine", "pico", "--uf2", str(file), "--part", "evening", "--board-races", "3",
             "--race-seconds", "2")
    result = call(*words, "--game", "racing_rules", "--podium")
    assert result.exit_code == 0 and "racing_rules: power to a lit pixel" in result.stdout
    assert asked == [("racing_rules", 2.0, 3, True)]
    told = json.loads(call(*words, "--json").stdout)
    assert [one[0] for one in asked[1:]] == list(games.NAMES) and len(told["evenings"]) == len(games.NAMES)


@needs_sources
@pytest.mark.timeout(TEST_S)
@pytest.mark.skipif(not os.environ.get("GRIDGLOW_ALL_GAMES"), reason="make test-pico tries this too")
def test_what_is_read_of_the_heap_is_what_the_board_says_itself_and_an_evening_begins():
    start = evening_pico.largest(load_board("full"), "racing_rules")
    evening = evening_pico.Evening(own_uf2(), load_board("full"), start)
    evening.power_on()
    evening.greet()
    pico, table = evening.pico, evening.watch.table
    evening.set_up()
    evening.begin()
    evening.race(1)
    found = evening.figures()
    assert found["heap"] == table.bytes and found["collections"] > 10
    assert 0 < found["lit_us"] < found["text_us"] and not found["stops"]
    assert found["raw"]["bytes"] <= found["after"]["bytes"] < table.bytes
    assert set(evening_pico.JUDGED) <= set(found["ticks"])
    pico.write(b"\r\x03\x01")
    assert pico.run_s(3, lambda: pico.output.endswith(b"exit\r\n>"))
    pico.take_output()
    pico.write(b"import gc, time\nfree = 0\ngc.collect()\nfree = gc.mem_free()\ntime.sleep_ms(300)\nprint(free)\n\x04")
    pico.run_s(0.2)                                # it sleeps, and nothing takes memory
    read = table.read(pico.mcu.sram)
    assert pico.run_s(3, lambda: pico.output.count(b"\x04") >= 2)
    assert (int(pico.output.removeprefix(b"OK").split()[0]), False) == read
