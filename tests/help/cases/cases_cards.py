"""Cards on the reader: each is reported once, however it is read; hot plug; what is refused;
and the deck that knows their meanings. Runs on both interpreters."""

import os

import machine
from cases_rc522 import Chip
from drivers.cards import RANDOM_ID, SEVERAL, Presence
from drivers.rc522 import Reader
from fake_pico import board
from parts import Card

from glow.table.deck import Deck, plain
from hal import ticks_add

TICK_MS = 5
RED_3 = "04A1B2C3D4E5F6"
BLUE_2 = "04A1B2C3D4E5F7"


class Table:
    """A reader with its Presence, ticked by its own clock."""

    def __init__(self, chip=None, start_ms=1000):
        self.chip = board.spi[17] = chip or Chip()
        pin = machine.Pin
        self.reader = Reader(machine.SPI(0), pin(17, pin.OUT, value=1), pin(20, pin.OUT, value=1))
        self.presence = Presence(self.reader)
        self.now = start_ms
        self.told = []
        self.refused = []
        self.most_exchanges = 0
        self.busy_ticks = self.most_transfers = 0

    def run(self, ms, each_tick=None):
        for _ in range(ms // TICK_MS):
            if each_tick:
                each_tick()
            exchanges, transfers = self.chip.exchanges, self.chip.transfers
            self.presence.tick(self.now)
            self.most_exchanges = max(self.most_exchanges, self.chip.exchanges - exchanges)
            transfers = self.chip.transfers - transfers
            self.busy_ticks += transfers > 0
            self.most_transfers = max(self.most_transfers, transfers)
            uid, why = self.presence.card(), self.presence.refused()
            if uid:
                self.told.append(uid)
            if why:
                self.refused.append(why)
            self.now = ticks_add(self.now, TICK_MS)
        return self


def case_a_resting_card_is_told_once_and_soon():
    table = Table().run(100)
    card = Card(RED_3)
    table.chip.put(card)
    table.run(250)
    assert table.told == [RED_3]
    table.run(60000)
    assert table.told == [RED_3] and table.refused == [] and table.presence.state == "ok"
    assert table.presence.version() == 0x92
    assert table.most_exchanges == 1
    table.chip.take_off(card)
    table.run(1000)
    table.chip.put(card)
    table.run(500)
    assert table.told == [RED_3, RED_3]


def case_what_lies_there_is_told_again_when_that_is_asked_for():
    table = Table()
    card = Card(RED_3)
    table.chip.put(card)
    table.run(1000)
    table.presence.again()
    table.run(5000)
    assert table.told == [RED_3, RED_3]
    table.chip.take_off(card)
    table.run(1000).presence.again()
    table.chip.put(Card("08112233"))
    table.run(1000).presence.again()
    table.run(5000)
    assert table.told == [RED_3, RED_3] and table.refused == [RANDOM_ID, RANDOM_ID]
    table.chip.put(Card(BLUE_2))
    table.run(1000).presence.again()
    table.run(5000)
    assert table.told == [RED_3, RED_3] and table.refused == [RANDOM_ID, RANDOM_ID, SEVERAL, SEVERAL]


class Restless(Chip):
    """Gives a card too little power, except at every so many wake-ups."""

    every = 2
    wakes = 0

    def _send(self, receives):
        if self.regs[13] & 7 == 7:
            self.wakes += 1
            if self.wakes % self.every:
                cards, self.cards = self.cards, []
                super()._send(receives)
                self.cards = cards
                for card in cards:
                    card.power_off()
                return
        super()._send(receives)


def case_a_card_that_reads_present_and_absent_by_turns_is_told_once():
    for every in (2, 3, 5):
        chip = Restless()
        chip.every = every
        table = Table(chip).run(100)
        table.chip.put(Card(RED_3))
        table.run(20000)
        assert table.told == [RED_3], (every, table.told)


def case_a_short_lapse_is_no_new_card():
    table = Table()
    card = Card(RED_3)
    table.chip.put(card)
    table.run(500)
    for _ in range(20):
        table.chip.take_off(card)
        table.run(150)
        table.chip.put(card)
        table.run(300)
    assert table.told == [RED_3]


def case_one_card_after_the_other():
    table = Table()
    uids = [RED_3, BLUE_2, "11223344", "04A1B2C3D4E5F6070809", RED_3]
    for uid in uids:
        card = Card(uid)
        table.chip.put(card)
        table.run(600)
        table.chip.take_off(card)
    assert table.told == uids                      # swapped directly, without a moment with no card


def case_two_cards_at_once_are_refused_until_both_are_off():
    table = Table().run(100)
    first, second = Card(RED_3), Card(BLUE_2)
    table.chip.put(first)
    table.chip.put(second)
    table.run(3000)
    assert table.told == [] and table.refused == [SEVERAL]
    table.chip.take_off(second)
    table.run(2000)
    assert table.told == []                        # nobody has put this one down by itself
    table.chip.take_off(first)
    table.run(500)
    table.chip.put(second)
    table.run(500)
    assert table.told == [BLUE_2] and table.refused == [SEVERAL]
    table.chip.put(first)                          # on top of one that is there already
    table.run(500)
    assert table.told == [BLUE_2] and table.refused == [SEVERAL, SEVERAL]


def case_random_ids_are_refused_once():
    table = Table().run(100)
    phone = Card("08112233", random=True)
    table.chip.put(phone)

    def powered_anew():
        if not table.reader.busy:
            phone.power_off()                      # as many phones do: a new id each time

    table.run(3000, powered_anew)
    assert table.told == [] and table.refused == [RANDOM_ID]
    table.chip.take_off(phone)
    table.run(500)
    for uid in ("08112233445566", "18112233"):     # seven bytes, or another first byte: not random
        card = Card(uid)
        table.chip.put(card)
        table.run(500)
        table.chip.take_off(card)
        table.run(500)
    assert table.told == ["08112233445566", "18112233"] and len(table.refused) == 1


def case_a_reader_that_comes_late_is_found_and_costs_little_until_then():
    for floats in (0x00, 0xFF):
        table = Table(Chip())
        table.chip.unplug()
        table.chip.floats = floats
        table.run(10000)
        assert table.presence.state == "missing"
        assert table.busy_ticks == 10 and table.most_transfers <= 2   # one look a second
        table.chip.put(Card(RED_3))
        table.chip.plug()
        table.run(1500)
        assert table.presence.state == "ok" and table.told == [RED_3]


def case_a_reader_that_vanishes_in_mid_race_is_noticed_and_comes_back():
    for lead in range(0, 60, 5):
        table = Table()
        card = Card(RED_3)
        table.chip.put(card)
        table.run(1000 + lead)
        table.chip.unplug()
        table.run(200)
        assert table.presence.state == "missing", lead
        table.run(5000)
        table.chip.take_off(card)
        table.chip.plug()
        table.run(1200)
        assert table.presence.state == "ok"
        table.chip.put(card)
        table.run(500)
        assert table.told == [RED_3, RED_3] and table.refused == [], (lead, table.refused)


def case_a_reader_that_lost_its_power_for_a_moment_tells_no_card_twice():
    table = Table()
    table.chip.put(Card(RED_3))
    for _ in range(20):
        table.run(205)
        table.chip.power_up()
    table.run(1000)
    assert table.told == [RED_3] and table.presence.state == "ok"


def case_the_clock_wraps():
    table = Table(start_ms=0x3FFFFFFF - 700)
    card = Card(RED_3)
    table.run(300)
    table.chip.put(card)
    table.run(300)
    table.chip.take_off(card)
    table.run(500)
    table.chip.put(card)
    table.run(500)
    assert table.told == [RED_3, RED_3] and table.now < 10000
    table = Table(start_ms=0x3FFFFFFF - 1200)
    table.chip.unplug()
    table.run(3000)
    table.chip.plug()
    table.run(1200)
    assert table.presence.state == "ok"


def _folder():
    try:
        os.mkdir("save")
    except OSError:
        pass
    return "save"


def case_a_deck_keeps_what_its_cards_stand_for():
    deck = Deck(_folder())
    assert deck.meaning(RED_3) == "" and list(deck.cards()) == []
    assert deck.enrol(RED_3, "red-3") == [] and deck.enrol(BLUE_2, " Blue  2") == []
    deck = Deck("save")                            # power was off
    assert deck.meaning(RED_3) == "red 3" and deck.meaning(BLUE_2) == "blue 2"
    assert deck.meaning("04A1") == "" and deck.meaning("") == ""
    assert list(deck.cards()) == [(RED_3, "red 3"), (BLUE_2, "blue 2")]
    assert deck.enrol(RED_3, "red_3") == []        # the same again
    assert deck.enrol("11223344", "blue 2") == ["board.card_copy", "blue 2"]
    assert deck.enrol(RED_3, "gr\xfcn 4") == ["board.card_changed", "red 3"]
    assert deck.meaning(RED_3) == "gr\xfcn 4" and len(list(deck.cards())) == 3
    assert deck.forget(BLUE_2) == [] and deck.forget("FF") == []
    assert [uid for uid, _ in deck.cards()] == ["11223344", RED_3]
    assert plain("Red-3") == plain("red_3") == plain(" RED  3 ") == "red 3" and plain(7) == "7"


def case_a_damaged_deck_loses_the_damaged_cards_only():
    deck = Deck(_folder())
    for number in range(40):
        deck.enrol("04A1B2C3D4E5%02X" % number, "card %d" % number)
    with open("save/cards", "rb") as file:
        whole = file.read()
    lines = whole.split(b"\n")
    for change in range(3):
        broken = list(lines)
        broken[7] = (broken[7][:-1] + b"?", b"\xff\xfe\x00", broken[7][:9])[change]
        with open("save/cards", "wb") as file:
            file.write(b"\n".join(broken))
        assert deck.meaning("04A1B2C3D4E507") == ""
        assert deck.meaning("04A1B2C3D4E506") == "card 6" and deck.meaning("04A1B2C3D4E527") == "card 39"
        assert len(list(deck.cards())) == 39
    for size in (0, 1, len(whole) // 2, len(whole) - 5):
        with open("save/cards", "wb") as file:
            file.write(whole[:size])
        assert len(list(deck.cards())) == whole[:size].count(b"\n")
    assert deck.enrol("AABBCCDD", "new") == [] and deck.meaning("AABBCCDD") == "new"


def case_a_deck_that_cannot_be_kept_says_why():
    deck = Deck("no_folder/save")
    assert deck.enrol(RED_3, "red 3") == ["save.unwritable"] and deck.meaning(RED_3) == ""
    assert deck.forget(RED_3) == ["save.unwritable"]
