"""The doctor's steps in front of lit LEDs: their colours, their number, their spaces, and all of them at once.

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
        raise skip("There is no board file for this board here, so its outputs aren't known.",
                   "Name it with --board-file.")
    return [output for output in doctor.board.outputs if output.pixels_max and output.use != "spare"]


def colours(doctor: Examiner) -> Finding:
    """The first LED of each output in red, green, blue and white, and what is seen of that."""
    person, checked = doctor.somebody, {}
    for output in _outputs(doctor):
        seen = {}
        for number, colour in enumerate(COLOURS, 1):
            value = doctor.service.attempt("colours", number, output.number - 1)
            if value["state"] != "ok":
                return fail(f"The board can't light output {output.number} ({value.get('why', value['state'])}).",
                            "Look at what the step 'board' says; gridglow sync renews the board file on it.", **value)
            answer = person.ask(f"Which colour has the first LED of output {output.number} ({output.use})?",
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
    return fail(f"The first LED of output {output.number} stays dark: it has no 5 V, no ground in common with the Pico, or "
                f"no data from GP{output.pin}.{chained}",
                "Measure 5 V at the first LED, then look whether the data wire ends at its DIN (not DOUT), whether the "
                "level shifter has 5 V and its OE is on GND, and whether GND of Pico and strip are joined.",
                output=output.number)


def order_of(said: str, seen: dict[str, str]) -> str:
    """The order that the strip takes, from the order that the board file says and what was seen; "" where that is none."""
    found = []
    for letter in said[:3]:
        name = {"R": "red", "G": "green", "B": "blue"}[letter]
        found.append(seen.get(name, "?")[0].upper())
    return "".join(found) + said[3:] if sorted(found) == ["B", "G", "R"] else ""


def _wrong_order(doctor: Examiner, output: Output, seen: dict[str, str], checked: dict) -> Finding:
    right = order_of(output.order, seen)
    if not right or right == output.order:
        return fail(f"The first LED of output {output.number} shows {', '.join(seen[one] for one in COLOURS)} in place of "
                    "red, green, blue, white: that is no other order of colours, so the data come damaged.",
                    "Look at the 330 Ω resistor, the level shifter (74AHCT, not HC), the ground and the length of the data "
                    "wire; where only white is wrong, the 5 V are weak.", seen=checked)
    assert doctor.board is not None
    say = f"Output {output.number} takes its colours in the order {right}, and the board file says {output.order}."
    path = own_file(doctor.board)
    next_ = f'In {path}, at [[output]] number = {output.number}: order = "{right}"; then: gridglow sync'
    if doctor.somebody.yes(f"{say} Shall I change that in {path}?"):
        set_order(doctor.board, output.number, right)
        next_ = f"{path} is changed; send it to the board with: gridglow sync"
    return fail(say, next_, seen=checked, order=right, output=output.number)


def count(doctor: Examiner) -> Finding:
    """How many LEDs hang on each output."""
    person, told, wrong, changed = doctor.somebody, {}, [], []
    for output in _outputs(doctor):
        number = _expected(doctor, output)
        while True:
            doctor.service.attempt("count", output.number - 1, number)
            if person.yes(f"Output {output.number} ({output.use}): every tenth LED is white, number {number} is green. Is "
                          "the green one the last LED of the wire?"):
                break
            number = person.number("How many LEDs are there? Ten for each white one, and those behind the last white one",
                                   0, output.pixels_max, number)
            if not number:
                break
        told[str(output.number)] = number
        if output.use == "dials" and number < _expected(doctor, output):
            wrong.append(f"On output {output.number} only {number} of {_expected(doctor, output)} LEDs are reached: the "
                         f"wire is broken behind LED {number}, or fewer panels are plugged in.")
        elif not number:
            wrong.append(f"No LED of output {output.number} is reached.")
        elif number != output.pixels_max and _write(doctor, output, number):
            changed.append(f"output {output.number}")
    doctor.service.dark()
    if wrong:
        return fail(" ".join(wrong), "Look at the joint behind the last LED that is lit: DOUT must lead to the next DIN, "
                                     "and 5 V and GND on.", leds=told)
    dark_ma = sum(told.values()) * (doctor.board.supply.dark_ma if doctor.board else 1)
    sync = f" The board file says so now of {' and '.join(changed)}; send it with: gridglow sync" if changed else ""
    return ok(f"{', '.join(f'output {key}: {leds} LEDs' for key, leds in told.items())}; dark they draw about {dark_ma} mA."
              f"{sync}", leds=told, dark_ma=dark_ma)


def _write(doctor: Examiner, output: Output, pixels: int) -> bool:
    """Whether the person wants this number in the board file; it stands there then."""
    assert doctor.board is not None
    more = " Tracks with more LEDs don't fit it then." if output.use == "track" else ""
    path = own_file(doctor.board)
    say = f"The board file says that output {output.number} has up to {output.pixels_max} LEDs, and it has {pixels}."
    if not doctor.somebody.yes(f"{say} Shall I change that in {path}?{more}", "no"):
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
    """Each LED of the track under its space."""
    person, board = doctor.somebody, doctor.board
    if board is None:
        raise skip("There is no board file for this board here.", "Name it with --board-file.")
    if not person.yes("Do you want to walk the track now, LED by LED? It takes some minutes.", "no"):
        return skip("The track was not walked.", "Do it once for each track module: gridglow walk --track ID")
    while True:
        person.say("Which track is plugged in? Its id, such as gp-ring:")
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
        return fail(f"No LED lights {', '.join(without[:12])}.", "Look whether the wire skips these holes.", without=without)
    return ok(" ".join(said), track=track.id, skip=sorted(state.skip))


def full(doctor: Examiner) -> Finding:
    """All LEDs at the cap of the board file, for five minutes, with an eye on voltage and wires."""
    person = doctor.somebody
    minutes = FULL_LOOKS * FULL_LOOK_S / 60
    if not person.yes(f"Shall all LEDs be lit as bright as the limits allow, for {minutes:g} minutes?"):
        return skip("It was not tried.", "Do it once before the first long evening.")
    value = doctor.service.attempt("fill", ALL, 255)
    if value["state"] != "ok":
        return fail(f"The LEDs can't be lit ({value.get('why', value['state'])}).", "Look at what the step 'board' says.")
    person.say(f"By the model they draw {value['ma']} of {value['limit_ma']} mA. Feel the wires and plugs; press Enter to "
               "end it, at once where anything gets hot.")
    low = _hold(doctor, person)
    doctor.service.dark()
    data = {"ma": value["ma"], "limit_ma": value["limit_ma"], "low_mv": low}
    if low is not None and low < LAST_PANEL_MV:
        return fail(f"The voltage fell to {low} mV under load, expected at least {LAST_PANEL_MV}: the supply is too weak, "
                    "or a wire too thin.",
                    "Feed the track from both ends, use thicker wires, or lower limit_ma in the board file.", **data)
    if not person.yes("Did all LEDs stay lit, in one white, up to the last panel?"):
        return fail("LEDs at the end went dark or reddish: the voltage falls along the wire.",
                    "Feed the track at both ends; measure at the last panel: at least 4.0 V.", **data)
    if not person.yes("Did every wire and plug stay cool?"):
        return fail("A wire or plug gets hot: it is too thin, or its contact is bad.",
                    "Unplug the supply, and make this joint anew with thicker wire before you go on.", **data)
    return ok(f"{value['ma']} mA by the model{f', at least {low} mV' if low is not None else ''}.", **data)


def _hold(doctor: Examiner, person: Person) -> int | None:
    """Waits until the time is over or the person has seen enough; the lowest voltage that was measured, or None."""
    low = None
    for _ in range(FULL_LOOKS):
        value = doctor.service.attempt("supply")
        if value["state"] == "ok":
            low = value["mv"] if low is None else min(low, value["mv"])
        if person.line(FULL_LOOK_S) is not None:
            break
    return low
