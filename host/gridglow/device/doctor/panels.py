"""The doctor's steps with keys: each key of every panel, the encoder, and the time from a press to its light.

Each takes the Examiner and returns a Finding. With nobody there, the panels are reported as the board knows them.
"""

from __future__ import annotations

from gridglow.boards.boardfile import KEYS, Board
from gridglow.device.doctor.examiner import Examiner, Finding, fail, ok, skip

CONSOLE, DICE_PAD = 201, 200
PAD_KEYS = ("1", "2", "3", "4", "5", "6")
CONSOLE_KEYS = ("OK", "UNDO")  # the encoder has a step of its own
CLICKS = 24
PRESSES = 10
PRESS_MS = 50
LOOK_S = 0.1
DIRECT = (" On a mini whose keys each have a pin, as on all older ones, install its board file with: gridglow sync "
          "--board-file mini-direct")
UP_LOOKS = 10


def panels(doctor: Examiner) -> Finding:
    """Finds panels by their ID bits, and has each of their keys pressed once."""
    value = doctor.service.attempt("keys", 1)
    there, wanted = value["panels"], value["wanted"]
    state, detail = doctor.part("panels")
    stuck = [_key(panel, key) for panel, key in value.get("stuck") or ()]
    problem = _panel_problem(doctor, state, detail, there, wanted)
    if stuck:
        problem = problem or fail(f"Stuck, or wired to GND: {', '.join(stuck)}.",
                                  "Check for a jammed key, and for solder between its pins.", stuck=stuck)
    if doctor.person is None:
        return problem or ok(f"{there} panels answer; their keys weren't tried.", panels=there)
    if problem:
        doctor.person.say(problem.say)
    seen, bounces = _press_all(doctor, there)
    missing = [_key(panel, key) for panel, keys in _all_keys(doctor, there) for key in keys if (panel, key) not in seen]
    held = [_key(panel, key) for (panel, key), down in seen.items() if down]
    data = {"panels": there, "missing": missing, "stuck": sorted({*stuck, *held}), "bounces": bounces}
    if problem:
        return fail(problem.say, problem.next, **data)
    if missing:
        return fail(f"No press came from {', '.join(missing)}: the key, its wire or its pull-up is broken, or it is stuck.",
                    "Short the key's two pads with tweezers: if a press comes now, replace the key, else follow its "
                    f"wire to the {'Pico' if 'keys' in _panels_on(doctor.board) else '74HC165'}.", **data)
    if held:
        return fail(f"These were never released: {', '.join(held)}.", "Check for a jammed key, and for solder between "
                                                                     "its pins.", **data)
    return ok(f"{there} panels, {len(seen)} keys.", **data)


def _panels_on(board: Board | None) -> dict:
    return (board.wiring.get("panels_on") if board else None) or {}


def _panel_problem(doctor: Examiner, state: str, detail: str, there: int, wanted: int) -> Finding | None:
    if state == "fault":
        return fail(f"Panel {detail or '?'} is wired wrongly: its two ID inputs read neither as a panel nor as no panel.",
                    "On its 74HC165, H must be on GND and G on 3.3 V; also check whether the ribbon's plug is the wrong way "
                    "round, and whether the chip has its 3.3 V.", panels=there)
    if there < wanted:
        chained = "clock" in _panels_on(doctor.board)
        where = f"between panel {there} and panel {there + 1}" if there else "between the Pico and the first panel"
        return fail(f"{there} of {wanted} panels answer: the chain ends {where}." if chained
                    else f"{there} of {wanted} panels answer.",
                    "Check this ribbon, and that SER of the last panel has its 10k to 3.3 V; a race goes on with fewer "
                    f"panels.{'' if there else DIRECT}" if chained else "Check their ribbons.",
                    panels=there, wanted=wanted)
    return None


def _all_keys(doctor: Examiner, there: int) -> list[tuple[int, tuple[str, ...]]]:
    found: list[tuple[int, tuple[str, ...]]] = [(panel, KEYS) for panel in range(1, there + 1)]
    if doctor.part("console")[0] == "ok":
        found.append((CONSOLE, CONSOLE_KEYS))
    if doctor.part("dice_pad")[0] == "ok":
        found.append((DICE_PAD, PAD_KEYS))
    return found


def _key(panel: int, key: str) -> str:
    where = {CONSOLE: "console", DICE_PAD: "dice pad"}.get(panel, f"panel {panel}")
    return f"{key} of {where}"


def _press_all(doctor: Examiner, there: int) -> tuple[dict[tuple[int, str], int], int]:
    """Waits until each key was pressed or the person is done: (the last edge of each, presses that bounced)."""
    person = doctor.somebody
    left = {(panel, key) for panel, keys in _all_keys(doctor, there) for key in keys}
    seen: dict[tuple[int, str], int] = {}
    bounces = 0
    person.say(f"Press each of the {len(left)} keys once, then press Enter here.")
    while left and person.line(LOOK_S) is None:
        for panel, key, down in doctor.service.edges(LOOK_S):
            if (panel, key) in left:
                left.discard((panel, key))
                person.say(f"  {_key(panel, key)}: right. {len(left)} keys are left.")
            elif not down and seen.get((panel, key)) == 0:
                bounces += 1
            seen[panel, key] = down
    for _ in range(UP_LOOKS):
        if not any(seen.values()):
            break
        for panel, key, down in doctor.service.edges(LOOK_S):  # the last key's release
            seen[panel, key] = down
    value = doctor.service.attempt("keys", 0)
    for panel, key, down, _ in value.get("edges") or ():
        seen[panel, key] = down
    return seen, bounces


def encoder(doctor: Examiner) -> Finding:
    """Has the encoder turned by 24 clicks in one direction."""
    person = doctor.somebody
    value = doctor.service.attempt("encoder", 1)
    if value["state"] == "missing":
        return skip("The board has no console.")
    person.say(f"Turn the encoder {CLICKS} clicks to the right (usually a full turn), then press Enter.")
    person.wait()
    value = doctor.service.attempt("encoder")
    forth, back = value["forth"], value["back"]
    pins = doctor.wired("console")
    if not forth and not back:
        return fail("No click came.", f"Check its three wires, A, B and GND in the middle ({pins}).", **value)
    if back > forth:
        return fail(f"It counts the wrong way: {back} clicks back, {forth} forward.",
                    "Swap the numbers of `a` and `b` under [console] in the board file, then: gridglow sync", **value)
    if forth in (2 * CLICKS, 2 * CLICKS - 1, 2 * CLICKS + 1):
        return fail(f"{forth} clicks were counted instead of {CLICKS}: this encoder has two steps per click.",
                    "You can use it; each step in a list takes half a click.", **value)
    if abs(forth - CLICKS) > 1 or back:
        return fail(f"{forth} clicks forward and {back} back were counted instead of {CLICKS}: it bounces, or one wire is "
                    "loose.", "Put 10 nF from A and from B to GND, and check the wires.", **value)
    return ok(f"{forth} clicks.", **value)


def latency(doctor: Examiner) -> Finding:
    """The time from a press to its light."""
    person = doctor.somebody
    value = doctor.service.attempt("latency", 1)
    if value["state"] != "ok":
        return skip("The board has no lights to answer with.")
    person.say(f"Press OK on any panel {PRESSES} times, about once a second, then press Enter here.")
    person.wait()
    value = doctor.service.attempt("latency", 2)
    doctor.service.attempt("latency", 0)
    if not value["presses"]:
        return skip("No press came.", "Run the step panels first.")
    say = f"{value['mean_ms']} ms on average, {value['most_ms']} ms at most, of {value['presses']} presses"
    if value["most_ms"] > PRESS_MS:
        return fail(f"{say}; expected at most {PRESS_MS} ms.", "See the steps rate and memory, and update its "
                                                               "program with: gridglow flash", **value)
    return ok(f"{say}.", **value)
