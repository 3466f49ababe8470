"""The doctor's steps for lit LEDs: their colours, number and spaces, and all of them at once.

Each takes the Examiner and returns a Finding.
"""

from __future__ import annotations

from gridglow.boards.boardedit import own_file, set_order, set_pixels
from gridglow.boards.boardfile import Output, read_board
from gridglow.device import walk as walking
from gridglow.device.doctor.examiner import Examiner, Finding, fail, ok, skip
from gridglow.device.person import Person
from gridglow.device.service import ALL
from gridglow.tracks import load_track, map_leds
from shared_rules.errors import GridglowError

COLOURS = ("red", "green", "blue", "white")
FULL_LOOK_S = 5.0
FULL_LOOKS = 60
LAST_PANEL_MV = 4500


def _outputs(doctor: Examiner) -> list[Output]:
    if doctor.board is None:
        raise skip("This computer has no file of this board, so its outputs aren't known.",
                   "Name it with --board-file.")
    return [output for output in doctor.board.outputs if output.pixels_max and output.use != "spare"]


def colours(doctor: Examiner) -> Finding:
    """Lights the first LED of each output in red, green, blue and white, and asks what is seen."""
    person, checked = doctor.somebody, {}
    for output in _outputs(doctor):
        seen = {}
        for number, colour in enumerate(COLOURS, 1):
            value = doctor.service.attempt("colours", number, output.number - 1)
            if value["state"] != "ok":
                return fail(f"The board can't light output {output.number} ({value.get('why', value['state'])}).",
                            "See what the step 'board' says; gridglow sync updates the board file on it.", **value)
            answer = person.ask(f"What colour is the first LED of output {output.number} ({output.use})?",
                                (*COLOURS, "dark", "other"), colour)
            seen[colour] = answer
            if colour == "red" and answer == "dark":
                return _dark(output)
        checked[str(output.number)] = seen
        doctor.service.dark()
        if seen != {colour: colour for colour in COLOURS}:
            return _wrong_order(doctor, output, seen, checked)
    return ok("The first LED of each output shows red, green, blue and white.", seen=checked)


def _dark(output: Output) -> Finding:
    chained = f" It is chained behind output {output.after}, whose last LED passes its data on." if output.after else ""
    return fail(f"The first LED of output {output.number} stays dark: it has no 5 V, no common ground with the Pico, or "
                f"no data from GP{output.pin}.{chained}",
                "Measure 5 V at the first LED, then check that the data wire ends at its DIN (not DOUT), that the "
                "level shifter has 5 V and its OE is on GND, and that GND of Pico and strip are joined.",
                output=output.number)


def order_of(said: str, seen: dict[str, str]) -> str:
    """The strip's colour order, from the board file's order and what was seen; "" if no order fits."""
    found = []
    for letter in said[:3]:
        name = {"R": "red", "G": "green", "B": "blue"}[letter]
        found.append(seen.get(name, "?")[0].upper())
    return "".join(found) + said[3:] if sorted(found) == ["B", "G", "R"] else ""


def _wrong_order(doctor: Examiner, output: Output, seen: dict[str, str], checked: dict) -> Finding:
    right = order_of(output.order, seen)
    if not right or right == output.order:
        return fail(f"The first LED of output {output.number} shows {', '.join(seen[one] for one in COLOURS)} in place of "
                    "red, green, blue, white: no order of colours explains that, so the data arrive damaged.",
                    "Check the 330 Ω resistor, the level shifter (74AHCT, not HC), the ground and the length of the data "
                    "wire; if only white is wrong, the 5 V supply is weak.", seen=checked)
    assert doctor.board is not None
    say = f"Output {output.number} has the colour order {right}, but the board file says {output.order}."
    path = own_file(doctor.board)
    next_ = f'In {path}, at [[output]] number = {output.number}: order = "{right}"; then: gridglow sync'
    if doctor.somebody.yes(f"{say} Change that in {path}?"):
        set_order(doctor.board, output.number, right)
        next_ = f"Changed {path}; send it to the board with: gridglow sync"
    return fail(say, next_, seen=checked, order=right, output=output.number)


def count(doctor: Examiner) -> Finding:
    """How many LEDs are on each output."""
    person, told, wrong, changed = doctor.somebody, {}, [], []
    for output in _outputs(doctor):
        number = _expected(doctor, output)
        while True:
            doctor.service.attempt("count", output.number - 1, number)
            if person.yes(f"Output {output.number} ({output.use}): every tenth LED is white, number {number} is green. Is "
                          "the green one the last LED of the wire?"):
                break
            number = person.number("How many LEDs are there? Ten for each white one, plus those after the last white one",
                                   0, output.pixels_max, number)
            if not number:
                break
        told[str(output.number)] = number
        if output.use == "dials" and number < _expected(doctor, output):
            wrong.append(f"On output {output.number} only {number} of {_expected(doctor, output)} LEDs get data: the "
                         f"wire is broken behind LED {number}, or fewer panels are plugged in.")
        elif not number:
            wrong.append(f"No LED of output {output.number} gets data.")
        elif number != output.pixels_max and _write(doctor, output, number):
            changed.append(f"output {output.number}")
    doctor.service.dark()
    if wrong:
        return fail(" ".join(wrong), "Check the joint after the last lit LED: DOUT must lead to the next DIN, "
                                     "and 5 V and GND must go on.", leds=told)
    dark_ma = sum(told.values()) * (doctor.board.supply.dark_ma if doctor.board else 1)
    sync = f" The board file now says so for {' and '.join(changed)}; send it with: gridglow sync" if changed else ""
    return ok(f"{', '.join(f'output {key}: {leds} LEDs' for key, leds in told.items())}; when dark, they draw "
              f"about {dark_ma} mA.{sync}", leds=told, dark_ma=dark_ma)


def _write(doctor: Examiner, output: Output, pixels: int) -> bool:
    """Whether the person wants this number in the board file; if so, it has been written."""
    assert doctor.board is not None
    more = " Tracks with more LEDs won't fit then." if output.use == "track" else ""
    path = own_file(doctor.board)
    say = f"The board file says that output {output.number} has up to {output.pixels_max} LEDs, but it has {pixels}."
    if not doctor.somebody.yes(f"{say} Change that in {path}?{more}", "no"):
        return False
    set_pixels(doctor.board, output.number, pixels)
    doctor.board = read_board(path)
    return True


def _expected(doctor: Examiner, output: Output) -> int:
    board = doctor.board
    if board is not None and output.use == "dials":
        return min(output.pixels_max, board.seats * sum(pixels for _, pixels in board.dials))
    return output.pixels_max


def walk(doctor: Examiner) -> Finding:
    """Finds out which LED of the track is under which space."""
    person, board = doctor.somebody, doctor.board
    if board is None:
        raise skip("This computer has no file of this board.", "Name it with --board-file.")
    if not person.yes("Do you want to walk the track now, LED by LED? It takes some minutes.", "no"):
        return skip("The track wasn't walked.", "Do this once for each track module: gridglow walk --track ID")
    while True:
        person.say("Which track is connected? Its id, such as gp-ring:")
        try:
            track = load_track(person.wait()).track
            leds = map_leds(track, board)
            break
        except GridglowError as error:
            person.say(str(error))
    path = walking.progress_file(doctor.found.serial or doctor.found.name, track.id)
    state, _ = walking.begin(track, board, path)
    most = board.outputs[leds.output].pixels_max
    walking.Walk(doctor.service, person, state, leds.output, most, lambda kept: walking.keep(kept, path)).run()
    said = walking.save(doctor.service, state, board)
    path.unlink(missing_ok=True)
    without = state.without()
    if without:
        return fail(f"No LED lights {', '.join(without[:12])}.", "Check whether the wire skips these holes.",
                    without=without)
    return ok(" ".join(said), track=track.id, skip=sorted(state.skip))


def full(doctor: Examiner) -> Finding:
    """Lights all LEDs at the board file's limit for five minutes, watching voltage and wires."""
    person = doctor.somebody
    minutes = FULL_LOOKS * FULL_LOOK_S / 60
    if not person.yes(f"Light all LEDs as bright as the limits allow, for {minutes:g} minutes?"):
        return skip("This wasn't tried.", "Do this once before the first long evening.")
    value = doctor.service.attempt("fill", ALL, 255)
    if value["state"] != "ok":
        return fail(f"The LEDs can't be lit ({value.get('why', value['state'])}).", "See what the step 'board' says.")
    person.say(f"By calculation they draw {value['ma']} of {value['limit_ma']} mA. Feel the wires and plugs; press Enter to "
               "stop, at once if anything gets hot.")
    low = _hold(doctor, person)
    doctor.service.dark()
    data = {"ma": value["ma"], "limit_ma": value["limit_ma"], "low_mv": low}
    if low is not None and low < LAST_PANEL_MV:
        return fail(f"The voltage fell to {low} mV under load, expected at least {LAST_PANEL_MV}: the supply is too weak, "
                    "or a wire too thin.",
                    "Feed the track from both ends, use thicker wires, or lower limit_ma in the board file.", **data)
    if not person.yes("Did all LEDs stay lit, in the same white, up to the last panel?"):
        return fail("LEDs at the end went dark or reddish: the voltage falls along the wire.",
                    "Feed the track at both ends; measure at the last panel: at least 4.0 V.", **data)
    if not person.yes("Did every wire and plug stay cool?"):
        return fail("A wire or plug gets hot: it is too thin, or its contact is bad.",
                    "Unplug the supply, and redo this joint with thicker wire before you go on.", **data)
    return ok(f"{value['ma']} mA by calculation{f', at least {low} mV' if low is not None else ''}.", **data)


def _hold(doctor: Examiner, person: Person) -> int | None:
    """Waits until the time is over or the person has seen enough; returns the lowest voltage measured, or None."""
    low = None
    for _ in range(FULL_LOOKS):
        value = doctor.service.attempt("supply")
        if value["state"] == "ok":
            low = value["mv"] if low is None else min(low, value["mv"])
        if person.line(FULL_LOOK_S) is not None:
            break
    return low
