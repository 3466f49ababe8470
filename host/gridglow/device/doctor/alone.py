"""The doctor's steps that need nobody: what runs on the board, its supply, memory, flash and frames.

Each takes the Examiner and returns a Finding.
"""

from __future__ import annotations

from gridglow.device.connect import GRIDGLOW, SAFE
from gridglow.device.doctor.examiner import Examiner, Finding, fail, ok, skip
from gridglow.device.wear import wear_of

RAIL_LOW_MV = 4750
RAIL_HIGH_MV = 5250
USB_MA = 500  # the most that a board may draw from USB
HEAP_PERCENT = 30
FLASH_ROOM = 64 * 1024
FRAMES_PER_S = 28  # of 30: tidying the heap takes a frame's time now and then
FRAME_US = 13_000  # 40 % of the time between two frames


def board(doctor: Examiner) -> Finding:
    """What runs on it, and what it reports as wrong; parts have their own steps."""
    found, about = doctor.found, doctor.about
    told = [one for one in found.problems() if not one.startswith("Its part ")]
    told_keys = ("fw", "frozen", "impl", "version", "machine", "board", "state", "counts", "wear", "crash", "changed",
                 "left_out", "fs")
    data = {key: about.get(key) for key in told_keys}
    if doctor.board and found.chip and doctor.board.wiring.get("chip", found.chip) != found.chip:
        told.append(f"The board file {doctor.board.id} is for an {doctor.board.wiring['chip']}, this is an {found.chip}; "
                    f'set chip = "{found.chip}" in it, and run gridglow sync.')
    if found.state != GRIDGLOW:
        say = told[0] if told else f"Gridglow isn't running on it ({found.doing})."
        if found.state == SAFE:  # the sentence says what to do
            return fail(say, "Read its crash box, run gridglow sync, then switch it off and on.", **data)
        return fail(say, "Reset it (unplug it and plug it in again); if that doesn't help: gridglow flash", **data)
    if told:
        return fail(" ".join(told), "Fix the first of these, and run gridglow doctor again.", problems=told, **data)
    counts = about.get("counts") or {}
    lost = [f"{counts[key]} {word}" for key, word in (("keys_lost", "keys"), ("lost", "messages")) if counts.get(key)]
    more = f"; lost so far: {', '.join(lost)}" if lost else ""
    kind = str(about.get("impl") or "?").replace("micropython", "MicroPython")
    runs = f"Gridglow {about.get('fw', '?')} on {kind} {found.version or '?'}"
    if found.changed:
        more += f". {found.changed.rstrip('.')}"
    return ok(f"{runs}, {about.get('machine') or 'a board'}{more}.", **data)


def supply(doctor: Examiner) -> Finding:
    """The voltage of the LEDs' rail."""
    value = doctor.service.attempt("supply")
    if value["state"] == "missing":
        return skip("The board has no way to measure its 5 V.", "Measure with a meter, or wire 10k/10k to a pin and set "
                                                                "[sense] pin = 26 in the board file.")
    if value["state"] != "ok":
        return fail(f"The supply can't be measured ({value.get('why')}).", "Check the divider, 10k and 10k, on the pin "
                                                                           f"{doctor.wired('sense')}.")
    mv = value["mv"]
    if mv < 1000:
        return fail(f"There is no voltage on the LEDs' rail ({mv} mV): the supply is off, or its fuse is open.",
                    "Switch the supply on; if it is on, measure before and after the fuse.", mv=mv)
    if mv < RAIL_LOW_MV:
        return fail(f"The LEDs' rail has {mv} mV, expected {RAIL_LOW_MV} to {RAIL_HIGH_MV}: the supply is weak, or a cable "
                    "is thin or long.", "Measure at the supply's own terminals; if it is right there, use thicker wires.",
                    mv=mv)
    if mv > RAIL_HIGH_MV:
        return fail(f"The LEDs' rail has {mv} mV, expected at most {RAIL_HIGH_MV}: LEDs may be damaged.",
                    "Unplug the supply now and set it to 5.0 V, or use another.", mv=mv)
    return ok(f"{mv / 1000:.2f} V.", mv=mv)


def memory(doctor: Examiner) -> Finding:
    """The heap."""
    value = doctor.service.attempt("memory", limit_s=30.0)
    if value["state"] == "missing":
        return skip("This board's interpreter doesn't report its memory.")
    free, used, largest = value["free"], value["used"], value["largest"]
    percent = free * 100 // max(1, free + used)
    say = f"{free // 1024} kB of {(free + used) // 1024} kB are free, the largest piece has {largest // 1024} kB"
    if percent < HEAP_PERCENT:
        return fail(f"{say}; races need {HEAP_PERCENT} %.", "Replacement modules take up memory; build them into the "
                                                            "program: gridglow firmware build, and gridglow flash", **value)
    return ok(f"{say}.", **value)


def flash(doctor: Examiner) -> Finding:
    """The flash: a file written and read, the free space, and the wear from saves."""
    value = doctor.service.attempt("flash", limit_s=30.0)
    if value["state"] != "ok":
        told = {"full": ("The flash is full: a race can't be saved.", "Take tracks off it: gridglow sync --tracks …"),
                "differs": ("A file reads back differently: the flash is worn or damaged.",
                            "Back up with gridglow backup, and flash the board again; if that doesn't help, replace "
                            "the Pico."),
                "unwritable": ("No file can be written to the flash.", "Back up with gridglow backup, and flash the board "
                                                                      "again: gridglow flash")}
        say, next_ = told.get(str(value.get("why")), (f"The flash fails ({value.get('why')}).", "Flash the board again."))
        return fail(say, next_, **value)
    if "free" in value and value["free"] < FLASH_ROOM:
        return fail(f"Only {value['free'] // 1024} kB of the flash are free; saves need {FLASH_ROOM // 1024}.",
                    "Take tracks off it: gridglow sync --tracks …", **value)
    room = f"{value['free'] // 1024} kB of {value['size'] // 1024} kB are free; " if "free" in value else ""
    say = f"{room}{value['bytes']} bytes were written in {value['write_ms']} ms and read in {value['read_ms']} ms."
    wear = wear_of(doctor.about.get("wear"), value["free"]) if "free" in value else None
    if wear is None:
        return ok(say, **value)
    say += f" {wear.sentence()}."
    if wear.worn:
        return fail(say, "Back up with gridglow backup; the board will soon need a new Pico.", wear=wear.plain(), **value)
    return ok(say, wear=wear.plain(), **value)


def rate(doctor: Examiner) -> Finding:
    """Frames per second, and the time for one."""
    value = doctor.service.attempt("rate", limit_s=90.0)
    if value["state"] != "ok" or not value.get("frames"):
        return fail("No frame was shown.", "See what the step 'board' says about the lights; gridglow sync repairs files.",
                    **value)
    us = value.get("show_us") or value["us"]
    say = (f"{value['per_s']} frames per second with all pixels changing ({value['us']} µs each)"
           + (f", {value['show_per_s']} with the usual show ({value['show_us']} µs)" if value.get("show_frames") else ""))
    slow = min(value["per_s"], value.get("show_per_s", value["per_s"])) < FRAMES_PER_S
    if slow:
        return fail(f"{say}; expected at least {FRAMES_PER_S}.", "Update its program: gridglow flash", **value)
    heavy = f"; that is {us * 100 // 33_333} % of the time between two frames" if us > FRAME_US else ""
    return ok(f"{say}{heavy}.", **value)
