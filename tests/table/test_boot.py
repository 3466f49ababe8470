"""boot.py and main.py: safe mode after failed starts, a loop that ends when its host is gone, Ctrl-C."""

import boot
import main
import pytest


def test_three_failed_starts_lead_to_safe_mode_and_a_good_one_forgets_them(tmp_path):
    path = str(tmp_path / "starts.txt")
    assert [boot.decide(path) for _ in range(5)] == [False, False, False, True, False]
    main.started_well(path)
    assert boot.failed_starts(path) == 0 and not boot.decide(path)
    main.started_well(path)
    main.started_well(path)                        # nothing there: it doesn't matter


def test_a_scrambled_counter_counts_as_none(tmp_path):
    path = tmp_path / "starts.txt"
    path.write_bytes(b"\x00\x01zz")
    assert boot.failed_starts(str(path)) == 0


def test_a_flash_that_cannot_be_written_still_starts(tmp_path):
    assert not boot.decide(str(tmp_path / "no" / "folder" / "starts.txt"))


def test_arguments_are_found_behind_their_names():
    assert main._value(["--root", "x", "--pace"], "--root", ".") == "x"
    assert main._value(["--pace"], "--pace", "slow") == "slow"


class _Hal:
    def __init__(self, polls):
        self.polls = polls
        self.drained = False

    def ticks_ms(self):
        return 0

    def poll(self, now):
        self.polls -= 1
        return self.polls >= 0

    def sleep_ms(self, ms):
        pass

    def drain(self):
        self.drained = True


class _App:
    stopped = False
    race = None
    state = "idle"
    ticks = 0

    def tick(self, now):
        self.ticks += 1

    def part_failed(self, part, error):
        self.failed = part, error

    def waits_for_bots(self):
        return False


def test_the_loop_ends_when_the_host_is_gone():
    hal, app = _Hal(7), _App()
    main.run(hal, app)
    assert app.ticks == 7 and hal.drained


def test_a_link_that_fails_does_not_end_the_loop(monkeypatch):
    hal, app = _Hal(3), _App()
    polls = []

    def poll(now):
        polls.append(1)
        if len(polls) < 3:
            raise ValueError
        return False
    monkeypatch.setattr(hal, "poll", poll)
    main.run(hal, app)
    assert app.ticks == 2 and app.failed[0] == "link"


def test_nothing_swallows_a_keyboard_interrupt(monkeypatch):
    app = _App()

    def interrupt(now):
        raise KeyboardInterrupt
    monkeypatch.setattr(app, "tick", interrupt)
    with pytest.raises(KeyboardInterrupt):
        main.run(_Hal(3), app)
