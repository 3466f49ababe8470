"""The doctor's steps for which somebody measures, listens, looks or lays a card down.

Each takes the Examiner and returns a Finding. Where nobody is there, display and reader tell what the board knows by itself.
"""

from __future__ import annotations

from gridglow.boards.boardfile import Board
from gridglow.boards.pinouts import bus_box, keys_box, pico_pad
from gridglow.device.doctor.alone import USB_MA
from gridglow.device.doctor.examiner import Examiner, Finding, fail, ok, skip

CARD_LOOKS = 100
LOOK_S = 0.1


def power(doctor: Examiner) -> Finding:
    """Resistances and voltages before and after power comes on: things to do with a meter."""
    person = doctor.somebody
    if not person.yes("Have you a meter at hand, and do you want to check the supply? The board is unplugged for it.", "no"):
        return skip("The supply was not measured.", "Do it once before the first start of a board that you have built.")
    doctor.leave()
    own_supply = doctor.board is None or doctor.board.supply.limit_ma > USB_MA
    person.say("Unplug USB and the supply. Then measure:")
    for question, say, next_ in [*_meter(own_supply, doctor.board), *_ribbons(doctor.board)]:
        answer = person.ask(question, ("yes", "no", "skip"), "yes")
        if answer == "no":
            return fail(say, next_, question=question)
    person.say("Plug USB in again, and the supply where there is one, then press Enter.")
    person.wait()
    doctor.come_back()
    return ok("What was measured is right.")


def _ribbons(board: Board | None) -> list[tuple[str, str, str]]:
    """Which pin-out the ribbons have, as `_meter` asks."""
    if board is None or not board.panels or not board.wiring.get("panels_on"):
        return []
    box = keys_box(board.pinout, board.keys) if "keys" in board.wiring["panels_on"] else bus_box(board.pinout)
    pins = " and ".join(number for number, label in box if label == "5V")
    return [(f"All ribbons out, power on: is there 5 V on pin {pins} of the box J3 ({len(box)} pins), and on no other one?",
             f"J3 isn't wired as the board file says (pinout = {board.pinout}).",
             "Plug no panel in. Consoles of before have 5 V on pins 1 and 2 of ten, minis of before on pin 4: say pinout = "
             "1 under [panels] in the board file for these, and never plug in panels of the other pin-out.")]


def _meter(own_supply: bool, board: Board | None) -> list[tuple[str, str, str]]:
    """(question, what a no means, what to do then)."""
    found = [
        ("Are there more than 1,000 Ω between 5 V and GND of the LEDs, once the capacitor is charged (it counts up)?",
         "There is a short between 5 V and GND.",
         "Don't plug it in. Take the track off, then the panels, and measure again: the one that it goes away with has it. "
         "Look at the capacitor's and the strip's polarity."),
        ("Are there more than 200 Ω between 3V3 (pin 36) and GND?", "There is a short between 3V3 and GND.",
         "Don't plug it in. Take display, reader and panels off one by one, and measure again."),
        ("Is there no connection between 5 V and any data wire of the LEDs?", "5 V touches a data wire.",
         "Don't plug it in: it would break the first LED and the level shifter. Look for solder between neighbours."),
    ]
    if board is not None and board.supply.guard:
        found += _guard()
    if own_supply:
        found += [
            ("Measure the supply's plug before it goes in, as 12 V adapters fit too: are there 4.9 to 5.2 V, plus inside?",
             "That is not the supply of this board.", "Don't plug it in: take one of 5 V with plus inside."),
            ("Take the Pico out of its socket and switch the supply on: are there 4.9 to 5.2 V on the LEDs' rail?",
             "The supply does not give 5 V at the rail.", "Look at its switch, the fuse and the polarity."),
            ("With a resistor of 1 kΩ from VSYS (pin 39 of the socket) to GND: 0.14 to 0.23 V between the rail and VSYS?",
             "VSYS is wrong.", "Look at the Schottky diode D1: its ring points to the Pico. Less than 1 V at VSYS: it is "
             "turned round; 0 V between the rail and VSYS: it is bridged. (Without the resistor a meter can't tell.)"),
            ("Is there 0 V between VBUS (pin 40 of the socket) and GND?", "The supply reaches VBUS.",
             "It must never: with USB plugged in it would feed your computer. Part them."),
            *_divider(board),
            ("Supply off, Pico in, USB only, 1 kΩ from 5 V to GND of the LEDs: is there less than 1 V on the LEDs' rail?",
             "USB feeds the LEDs' rail.",
             "The rail must never hang on VBUS (pin 40) where there is a supply: part them. Is D1 bridged?"),
        ]
    if not own_supply and board is not None:
        found.append(("With USB plugged in: is there less than 0.1 V between VBUS (pin 40) and 5 V of the LEDs?",
                      "The LEDs' rail doesn't hang on VBUS.",
                      "It must lie on pin 40 by F1; on VSYS (pin 39) there are 0.2 to 0.4 V less."))
    found.append(("With USB plugged in: are there 3.25 to 3.35 V between 3V3 (pin 36) and GND?",
                  "The Pico's 3.3 V is wrong.",
                  "Unplug it. Take everything else off; where it is still wrong, the Pico is damaged."))
    return found


def _divider(board: Board | None) -> list[tuple[str, str, str]]:
    """What measures the rail, as `_meter` asks."""
    pin = board.wiring.get("sense") if board is not None else None
    if pin is None:
        return []
    return [(f"Is there 2.3 to 2.7 V between pin {pico_pad(pin)} of the socket (GP{pin}) and GND?",
             f"The divider to GP{pin} is wrong.",
             "Don't put the Pico in: it bears 3.3 V there. Look at R1 and R2, and for solder across R1.")]


def _guard() -> list[tuple[str, str, str]]:
    """The two halves of the guard at the jack, as `_meter` asks."""
    return [
        ("Take the Pico out. A battery of 9 V at J1, minus to the middle, by 10 kΩ, with 1 kΩ from 5 V to GND of the LEDs: "
         "is there less than 0.1 V between them?",
         "The guard lets a turned plug through.", "Don't plug the supply in. Q1 is turned round or bridged."),
        ("The same battery the right way, plus to the middle, by 470 Ω: is there less than 1 V on the LEDs' rail after "
         "a minute?",
         "The guard lets more than 5 V through.", "Don't plug the supply in. Q2 is turned round or bridged, or U2, Q3 are."),
    ]


def sound(doctor: Examiner) -> Finding:
    """A scale."""
    person = doctor.somebody
    value = doctor.service.attempt("sound", 0)
    if value["state"] == "missing":
        return skip("The board has no buzzer.")
    while True:
        answer = person.ask("Did you hear a scale?", ("yes", "no", "again"), "yes")
        if answer == "yes":
            muted = " The board is muted; its menu turns sound on." if value.get("muted") else ""
            return ok(f"A scale was heard.{muted}")
        if answer == "no":
            return fail("Nothing was heard: the piezo has no contact, or an oscillator of its own (then it can only beep).",
                        f"Look at its wires ({doctor.wired('buzzer')} and GND); it must be a passive one.")
        doctor.service.attempt("sound", 0)


def display(doctor: Examiner) -> Finding:
    """A pattern with all letters."""
    value = doctor.service.attempt("display", 1)
    wiring = doctor.board.wiring.get("display_on") if doctor.board else None
    wiring = wiring or {}
    address = f"0x{wiring.get('address', 0x3C):02X}"
    if value["state"] == "missing":
        if doctor.part("display")[0] == "off":
            return skip("The board has no display.")
        return fail(f"No display answers at the address {address} ({doctor.wired('display_on') or 'its wires'}).",
                    "Look at its four wires (VCC, GND, SDA, SCL: two makers swap VCC and GND); some have the address 0x3D: "
                    "then say address = 0x3D under [screen] in the board file.")
    if value["state"] == "fault":
        return fail(f"The display fails ({value.get('detail') or value.get('why')}).", "Look at its four wires; they should "
                                                                                       "be shorter than 30 cm.")
    if doctor.person is None:
        return ok("It answers; what it shows was not looked at.")
    kind = wiring.get("kind", "sh1106")
    answer = doctor.person.ask("Does the display show six whole lines of letters, and no dots at its edges?",
                               ("yes", "no", "shifted"), "yes")
    doctor.service.attempt("display", 0)
    if answer == "yes":
        return ok("All letters are there.")
    other = "ssd1306" if kind == "sh1106" else "sh1106"
    if answer == "shifted":
        return fail(f"The picture is shifted, or has dots at an edge: it is no {kind}.",
                    f'Say kind = "{other}" under [screen] in the board file, then: gridglow sync')
    return fail(f"It answers at {address} and shows nothing that can be read.",
                f'Try kind = "{other}" under [screen] in the board file; where that does not help, the display is damaged.')


def reader(doctor: Examiner) -> Finding:
    """Its version register, and a tag with an id of seven bytes."""
    value = doctor.service.attempt("reader", 1)
    pins = doctor.wired("reader_on")
    if value["state"] == "missing" and doctor.part("reader")[0] == "off":
        return skip("The board has no card reader.")
    version = str(value.get("version") or "")
    if value["state"] != "ok" or version in ("0x00", "0xff"):
        return fail("The card reader does not answer" + (f" (version {version})." if version else "."),
                    f"Look at its wires ({pins}) and its 3.3 V (never 5 V); MISO and MOSI are often swapped.", **value)
    shown = version or "of unknown version"
    if doctor.person is None:
        doctor.service.attempt("reader", 0)
        return ok(f"It answers, {shown}; no card was laid on it.", **value)
    doctor.person.say("Lay a card or a tag on the reader (Enter: there is none).")
    uid = _card(doctor)
    value = doctor.service.attempt("reader", 2)
    doctor.service.attempt("reader", 0)
    data = {"version": version, "card_bytes": len(uid) // 2}
    if not uid:
        if value.get("why"):
            return fail(f"A card is refused: {value['why']}", "Take an NTAG213 sticker, one at a time.", **data)
        return fail(f"The reader ({shown}) answers, and no card came.",
                    "Keep the card closer than 3 cm, and the reader 2 cm from metal; some clones read nothing.",
                    **data)
    more = "" if len(uid) == 14 else " It has no seven bytes as NTAG stickers have; try one of these too."
    return ok(f"The reader ({shown}) has read a card with an id of {len(uid) // 2} bytes.{more}", **data)


def _card(doctor: Examiner) -> str:
    """The id of the card that is laid down; "" where the person has none, or none comes in time."""
    person = doctor.somebody
    for _ in range(CARD_LOOKS):
        for uid in doctor.service.cards(LOOK_S):
            return uid
        if person.line(LOOK_S) is not None:
            return ""
    return ""
