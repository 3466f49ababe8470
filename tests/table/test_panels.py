"""Presses: one action for each press, bound to the prompt it was made for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glow.keys.panels import Panels


def made(panels, now):
    """What has been done so far: (kind, panel, key, seat, serial)."""
    return [(one.kind, one.panel, one.key, one.seat, one.serial) for one in panels.take(now)]


def kinds(panels, now):
    return [one.kind for one in panels.take(now)]


def tap(panels, panel, key, at, ms=60):
    panels.feed(at, panel, key, 1)
    panels.feed(at + ms, panel, key, 0)


def test_a_press_acts_on_the_first_edge_and_is_released_later():
    panels = Panels(2)
    panels.prompts([(7, 1)], 100)
    panels.feed(500, 1, "NEXT", 1)
    assert made(panels, 500) == [("press", 1, "NEXT", 1, 7)]
    assert panels.held(1, "NEXT")
    panels.feed(580, 1, "NEXT", 0)
    assert made(panels, 585) == []
    assert made(panels, 600) == [("release", 1, "NEXT", 1, 7)]
    assert not panels.held(1, "NEXT")


@given(st.lists(st.integers(0, 19), max_size=6), st.lists(st.integers(0, 19), max_size=6), st.integers(60, 350))
@settings(deadline=None)
def test_bounce_on_press_and_release_is_one_press(bounces, later, held_ms):
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    found = []
    down = False
    edges = [1000] + sorted(1000 + ms for ms in bounces)
    edges += [edges[-1]] if len(edges) % 2 == 0 else []
    ends = [1000 + held_ms] + sorted(1000 + held_ms + ms for ms in later)
    ends += [ends[-1]] if len(ends) % 2 == 0 else []
    for moment in range(1000, 1500):
        for edge in edges + ends:
            if edge == moment:
                down = not down
                panels.feed(moment, 1, "OK", down)
        if moment % 5 == 0:
            found += kinds(panels, moment)
    assert found == ["press", "release"]


def test_two_taps_are_two_presses():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    found = []
    for number in range(3):
        tap(panels, 1, "NEXT", 1000 + 120 * number, 50)
        found += kinds(panels, 1000 + 120 * number)
    assert found.count("press") == 3


def test_a_lost_release_does_not_swallow_the_next_press():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    panels.feed(1000, 1, "NEXT", 1)
    assert kinds(panels, 1000) == ["press"]
    panels.feed(1300, 1, "NEXT", 1)
    assert kinds(panels, 1300) == ["release", "press"]


def test_an_ok_before_its_prompt_was_open_is_dropped():
    panels = Panels(2)
    panels.prompts([(1, 1)], 0)
    # The rules work from 1000 to 1300; meanwhile both players press.
    panels.feed(1000, 1, "OK", 1)
    assert kinds(panels, 1000) == ["press"]
    panels.prompts([(2, 2)], 1300)
    panels.feed(1180, 2, "OK", 1)
    panels.feed(1200, 2, "OK", 0)
    panels.feed(1250, 2, "NEXT", 1)
    assert made(panels, 1305) == [
        ("early", 2, "OK", 2, 2), ("press", 2, "NEXT", 2, 2), ("release", 2, "OK", 2, 2),
    ]


@pytest.mark.parametrize("panel", [1, 2])
@pytest.mark.parametrize("gap_ms", [30, 82, 149, 150, 400])
def test_two_presses_within_150_ms_never_answer_two_prompts(panel, gap_ms):
    """Fast rules: the next prompt is open a few ms after the first answer."""
    panels = Panels(2)
    panels.prompts([(1, 1)], 0)
    tap(panels, 1, "OK", 1000, 22)
    assert kinds(panels, 1025) == ["press"]
    panels.prompts([(2, panel)], 1005)
    tap(panels, panel, "OK", 1000 + gap_ms, 40)
    found = [one for one in panels.take(1000 + gap_ms) if one.kind in ("press", "early")]
    if gap_ms == 30 and panel == 1:
        assert found == []  # 8 ms after its release the key is still bouncing
    else:
        assert [one.kind for one in found] == ["press" if gap_ms >= 150 else "early"]


def test_joint_prompts_may_be_answered_at_the_same_moment():
    panels = Panels(2)
    panels.prompts([(1, 1), (2, 2)], 0)
    panels.feed(1000, 1, "OK", 1)
    panels.feed(1010, 2, "OK", 1)
    assert made(panels, 1010) == [("press", 1, "OK", 1, 1), ("press", 2, "OK", 2, 2)]


def test_undo_is_guarded_too():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    tap(panels, 1, "UNDO", 1000, 25)
    tap(panels, 1, "UNDO", 1100, 25)
    assert [kind for kind in kinds(panels, 1100) if kind != "release"] == ["press", "early"]


def test_keys_of_a_panel_that_is_not_asked():
    panels = Panels(3)
    panels.prompts([(4, 2)], 0)
    for number, key in enumerate(("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")):
        panels.feed(1000 + 10 * number, 1, key, 1)
    assert made(panels, 1060) == [
        ("wrong", 1, "PREV", 1, 0), ("wrong", 1, "NEXT", 1, 0), ("wrong", 1, "OK", 1, 0),
        ("press", 1, "UNDO", 1, 0), ("press", 1, "WHY", 1, 0), ("press", 1, "MENU", 1, 0),
    ]
    assert "repeat" not in kinds(panels, 3000)


def test_a_prompt_of_the_table_is_anybody_s():
    panels = Panels(2)
    panels.prompts([(9, 0)], 0)
    panels.feed(1000, 2, "OK", 1)
    assert made(panels, 1000) == [("press", 2, "OK", 2, 9)]


def test_fewer_panels_than_seats():
    panels = Panels(2, 5)
    assert [panels.seats(1), panels.seats(2)] == [[1, 3, 5], [2, 4]]
    assert [panels.panel_of(seat) for seat in range(7)] == [0, 1, 2, 1, 2, 1, 0]
    panels.prompts([(3, 5), (4, 2), (5, 4)], 0)
    assert panels.asking(1) == (3, 5) and panels.asking(2) == (4, 2)
    panels.feed(1000, 1, "OK", 1)
    panels.feed(1000, 2, "OK", 1)
    assert made(panels, 1000) == [("press", 1, "OK", 5, 3), ("press", 2, "OK", 2, 4)]
    # The next seat's prompt comes up on the same panel: only now can it be answered.
    panels.prompts([(5, 4)], 1100)
    assert panels.asking(2) == (5, 4) and panels.asking(1) == (0, 0)
    panels.feed(1090, 2, "OK", 0)
    panels.feed(1300, 2, "OK", 1)
    assert [one for one in made(panels, 1300) if one[0] == "press"] == [("press", 2, "OK", 4, 5)]


def test_a_held_key_repeats_faster_and_faster():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    panels.feed(1000, 1, "NEXT", 1)
    times = []
    for now in range(1000, 4000, 5):
        times += [now for one in panels.take(now) if one.kind == "repeat"]
    gaps = [b - a for a, b in zip([1000] + times, times)]
    assert gaps[:3] == [400, 100, 100]
    assert gaps[-1] == 40
    assert gaps[1:] == sorted(gaps[1:], reverse=True)


def test_a_held_key_does_not_run_into_the_next_prompt():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    panels.feed(1000, 1, "NEXT", 1)
    panels.take(1000)
    assert "repeat" in kinds(panels, 1400)
    panels.prompts([(2, 1)], 1450)
    assert all(kinds(panels, now) == [] for now in range(1450, 3000, 50))


def test_other_keys_are_long_once():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    panels.feed(1000, 1, "MENU", 1)
    found = []
    for now in range(1000, 4000, 50):
        found += [(now, kind) for kind in kinds(panels, now)]
    assert found == [(1000, "press"), (1800, "long")]


def test_a_stuck_key_is_ignored_until_it_is_released():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    panels.feed(1000, 1, "NEXT", 1)
    for now in range(1000, 11000, 50):
        panels.take(now)
    assert kinds(panels, 11000) == []
    assert panels.stuck() == [(1, "NEXT")]
    assert not panels.held(1, "NEXT")
    assert kinds(panels, 20000) == []
    panels.feed(21000, 1, "NEXT", 0)
    assert kinds(panels, 21050) == ["release"]
    panels.feed(22000, 1, "NEXT", 1)
    assert kinds(panels, 22000) == ["press"] and panels.stuck() == []


def test_why_may_be_held_for_long():
    panels = Panels(1)
    panels.prompts([(1, 1)], 0)
    panels.feed(1000, 1, "WHY", 1)
    for now in range(1000, 40000, 500):
        panels.take(now)
    assert panels.held(1, "WHY") and panels.stuck() == []


def test_strange_edges_are_counted_not_raised():
    panels = Panels(2)
    for panel, key in ((0, "OK"), (3, "OK"), (1, "BANG"), (-1, "OK")):
        panels.feed(1000, panel, key, 1)
    panels.feed(1000, 1, "OK", 0)
    assert panels.ignored == 4
    assert made(panels, 1000) == []


def test_right_across_the_wrap_of_the_clock():
    panels = Panels(2)
    late = 0x3FFFFFFF - 50
    panels.prompts([(1, 1)], late - 500)
    panels.feed(late, 1, "NEXT", 1)
    assert kinds(panels, late) == ["press"]
    assert kinds(panels, 300) == []
    assert kinds(panels, 349) == ["repeat"]
    panels.prompts([(2, 2)], 400)
    panels.feed(late + 10, 2, "OK", 1)
    assert [one.kind for one in panels.take(410) if one.panel == 2] == ["early"]


def test_panels_can_be_dealt_anew():
    panels = Panels(4)
    panels.assign([[1, 2], [3]])
    assert panels.count() == 2 and panels.panel_of(2) == 1 and panels.panel_of(3) == 2
    panels.serve(3, 3)
    assert [panels.seats(number) for number in (1, 2, 3)] == [[1], [2], [3]]


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 2), st.sampled_from(["OK", "NEXT", "UNDO"]),
                          st.integers(0, 1)), max_size=60))
@settings(max_examples=200, deadline=None)
def test_whatever_the_fingers_do_no_prompt_is_answered_by_a_press_made_before_it(edges):
    """A game of two seats in turn: each accepted OK opens the other seat's prompt some ms later."""
    panels = Panels(2)
    opened = {1: 0}
    serial, seat = 1, 1
    panels.prompts([(serial, seat)], 0)
    now = 200
    answers = []
    for wait, panel, key, down in edges:
        now += wait
        panels.feed(now, panel, key, down)
        for one in panels.take(now):
            if one.kind == "press" and one.key == "OK" and one.serial == serial:
                answers.append((one.t_ms, one.serial))
                serial, seat = serial + 1, 3 - seat
                opened[serial] = now + 15
                panels.prompts([(serial, seat)], now + 15)
    for (before, _), (at, number) in zip(answers, answers[1:]):
        assert at - before >= 150
        assert at >= opened[number]


@pytest.mark.parametrize("days", [5, 7, 9, 12])
def test_a_board_that_was_left_on_for_a_week_takes_the_next_press(days):
    """After 6.2 days a moment in the past can't be told from one in the future (hal.ticks_diff)."""
    panels = Panels(1)
    panels.prompts([(1, 1)], 100)
    tap(panels, 1, "OK", 1000)
    tap(panels, 1, "NEXT", 2000)
    panels.take(3000)
    panels.take(4000)
    panels.prompts([(2, 1)], 5000)
    later = (5000 + days * 86400000) % (1 << 30)
    for key in ("NEXT", "OK"):
        later += 1000
        panels.feed(later, 1, key, 1)
        assert kinds(panels, later) == ["press"], key
        panels.feed(later + 60, 1, key, 0)
        panels.take(later + 200)
