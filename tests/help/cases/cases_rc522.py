"""What the card reader's driver must do, checked by the registers of an MFRC522. Runs on both interpreters."""

import gc

import machine
from drivers.rc522 import Reader
from fake_pico import board
from parts import Card, Rc522

IDS = ("04A1B2C3", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6070809", "88A1B2C3D4E5F6", "FFFFFFFF", "00000000000001")


class Chip(Rc522):
    """Counts what passes over the bus."""

    transfers = 0

    def select(self, on):
        self.transfers += on
        super().select(on)


def bench(chip=None):
    chip = board.spi[17] = chip or Chip()
    pin = machine.Pin
    reader = Reader(machine.SPI(0, baudrate=4000000), pin(17, pin.OUT, value=1), pin(20, pin.OUT, value=1))
    return chip, reader


def one_round(reader):
    """The id that a whole round returns, or None."""
    for _ in range(20):
        uid = reader.poll()
        if not reader.busy:
            return uid
    raise AssertionError("a round has no end")


def case_ids_of_all_lengths_are_read_again_and_again():
    chip, reader = bench()
    assert reader.start() and one_round(reader) is None
    for uid in IDS:
        card = Card(uid)
        chip.put(card)
        for _ in range(5):                         # halted after each round, and woken again
            found = one_round(reader)
            assert found == card.uid, (uid, found)
        chip.take_off(card)
        assert one_round(reader) is None and not reader.collided


def case_clones_answer_and_an_empty_plug_does_not():
    for version in (0x91, 0x92, 0x88, 0x12, 0xB2, 0x82):
        chip, reader = bench(Chip(version))
        assert reader.version() == version and reader.start() and reader.there
    for floats in (0x00, 0xFF):
        chip, reader = bench()
        chip.unplug()
        chip.floats = floats
        assert reader.version() == floats
        assert not reader.start() and not reader.there
        assert reader.poll() is None and not reader.busy and not reader.there
        chip.plug()
        assert reader.start() and reader.there


def case_a_poll_makes_one_exchange_and_few_transfers():
    chip, reader = bench()
    reader.start()
    card = Card("04A1B2C3D4E5F6070809")
    chip.put(card)
    most = polls = 0
    for _ in range(3):
        while True:
            exchanges, transfers = chip.exchanges, chip.transfers
            uid = reader.poll()
            polls += 1
            assert chip.exchanges - exchanges <= 1
            most = max(most, chip.transfers - transfers)
            if not reader.busy:
                break
        assert uid == card.uid
    assert polls == 3 * 8                          # wake-up, three times anticollision and select, halt
    assert most <= 18, most                        # at about 90 us each on a Pico


def case_a_chip_that_never_finishes_is_given_up():
    chip, reader = bench()
    reader.start()
    chip.regs[0x2A] = 0                            # its timer doesn't run, nothing ends the exchange
    before = chip.transfers
    assert reader.poll() is None and not reader.busy
    assert chip.transfers - before <= reader.most_looks + 16


def case_bad_reads_give_nothing_and_the_next_good_one_is_right():
    chip, reader = bench()
    reader.start()
    card = Card("04A1B2C3D4E5F6")
    chip.put(card)
    for spoil in ("crc", "bcc", "parity", "short"):
        chip.spoil = spoil
        for _ in range(3):
            assert one_round(reader) is None, spoil
        chip.spoil = ""
        assert one_round(reader) == card.uid, spoil


def case_what_is_no_id_goes_no_further():
    chip, reader = bench()
    reader.start()
    chip.put(Card("88A1B2C3"))                     # says that the id goes on, then that it doesn't
    for _ in range(4):
        assert one_round(reader) is None
    chip, reader = bench()
    reader.start()
    chip.put(Card("04A1B2C3"))
    chip.spoil = "bcc"
    before = chip.exchanges
    assert one_round(reader) is None and chip.exchanges - before == 2, "a wrong id must select nothing"


def case_a_card_that_falls_silent_anywhere_in_a_round():
    chip, reader = bench()
    reader.start()
    card = Card("04A1B2C3D4E5F6")
    chip.put(card)
    assert one_round(reader) == card.uid
    for good in range(5):
        for _ in range(good):
            reader.poll()
        chip.deaf = 1
        assert one_round(reader) is None, good
        assert not chip.deaf
        assert one_round(reader) == card.uid, good


def case_a_card_that_leaves_in_the_middle_of_a_round():
    chip, reader = bench()
    reader.start()
    for polls in range(6):
        card = Card("04A1B2C3D4E5F6")
        other = Card("0411111111E5F6")
        chip.put(card)
        for _ in range(polls):
            reader.poll()
        chip.take_off(card)
        chip.put(other)                            # another takes its place: never a mixture of the two
        found = one_round(reader)
        assert found is None or found in (card.uid, other.uid), found
        assert one_round(reader) == other.uid
        chip.take_off(other)


def case_two_cards_at_once_are_noticed():
    chip, reader = bench()
    reader.start()
    first, second = Card("04A1B2C3D4E5F6"), Card("04A1B2C3D4E5F7")
    chip.put(first)
    chip.put(second)                               # they differ only in the second level
    for _ in range(4):
        assert one_round(reader) is None and reader.collided
    chip.take_off(second)
    assert one_round(reader) == first.uid and not reader.collided
    small = Card("11223344")                       # already differs at the wake-up
    chip.put(small)
    assert one_round(reader) is None and reader.collided
    chip.take_off(first)
    assert one_round(reader) == small.uid


def case_a_reader_that_goes_and_comes_back():
    chip, reader = bench()
    reader.start()
    card = Card("04A1B2C3D4E5F6")
    chip.put(card)
    for polls in range(6):
        for _ in range(polls):
            reader.poll()
        chip.unplug()
        assert one_round(reader) == (card.uid if polls == 5 else None)   # only the halt was missing
        for _ in range(3):
            assert one_round(reader) is None
        assert not reader.there
        chip.plug()
        assert one_round(reader) is None and not reader.there   # its antenna is off: it must be set up again
        assert reader.start()
        assert one_round(reader) == card.uid


def case_noise_on_the_wire_raises_nothing_and_ends():
    class Noise(Chip):
        word = 1

        def exchange(self, byte):
            self.word = self.word * 75 % 65537
            return self.word & 255

    chip, reader = bench(Noise())
    reader.start()
    for _ in range(3000):
        before = chip.transfers
        found = reader.poll()
        assert found is None or len(found) in (4, 7, 10)
        assert chip.transfers - before <= reader.most_looks + 18


def case_the_reset_pin_is_used_where_nothing_answers():
    levels = []

    class Wire(machine.Pin):
        def value(self, level=None):
            levels.append(level)

    chip, _ = bench()
    pin = machine.Pin
    reader = Reader(machine.SPI(0), pin(17, pin.OUT, value=1), Wire(33, pin.OUT))
    reader.start()
    assert levels == [1]
    chip.unplug()
    reader.start()
    assert levels == [1, 0, 1]
    assert Reader(machine.SPI(0), pin(17, pin.OUT, value=1), None).start() is False


class _QuietBus:
    """Answers like a reader without a card, and takes no memory."""

    def __init__(self):
        self.irq = 0

    def write(self, data):
        pass

    def write_readinto(self, data, buffer):
        buffer[1] = 0x83 if data[0] == 0xA8 else 1


class _QuietPin:
    def value(self, level):
        pass


def case_a_round_takes_no_memory():
    if not hasattr(gc, "mem_alloc"):
        return
    reader = Reader(_QuietBus(), _QuietPin())
    reader.start()
    reader.poll()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(50):
        reader.poll()
    taken = gc.mem_alloc() - before
    gc.enable()
    assert taken == 0, taken
    assert reader.there
