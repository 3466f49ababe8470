"""The doctor's steps for which somebody measures, listens, looks or puts a card down.

Each takes the Examiner and returns a Finding. With nobody there, display and reader report what the board itself knows.
"""

from __future__ import annotations

from gridglow.boards.boardfile import Board
from gridglow.boards.pinouts import bus_box, keys_box, pico_pad
from gridglow.device.doctor.alone import USB_MA
from gridglow.device.doctor.examiner import Examiner, Finding, fail, ok, skip

CARD_LOOKS = 100
LOOK_S = 0.1


def power(doctor: Examiner) -> Finding:
    """Resistances and voltages before and after power comes on, measured with a meter."""
    person = doctor.somebody
    if not person.yes("Do you have a meter at hand, and want to check the supply? You will have to unplug the board.", "no"):
        return skip("The supply wasn't measured.", "Do this once before you first start a board that you have built.")
    doctor.leave()
    own_supply = doctor.board is None or doctor.board.supply.limit_ma > USB_MA
    person.say("Unplug USB and the supply. Then measure:")
    for question, say, next_ in [*_meter(own_supply, doctor.board), *_ribbons(doctor.board)]:
        answer = person.ask(question, ("yes", "no", "skip"), "yes")
        if answer == "no":
            return fail(say, next_, question=question)
    person.say("Plug in USB again, and the supply if there is one, then press Enter.")
    person.wait()
    doctor.come_back()
    return ok("All measurements are right.")


def _ribbons(board: Board | None) -> list[tuple[str, str, str]]:
    """Questions about the ribbons' pin-out, as `_meter` asks them."""
    if board is None or not board.panels or not board.wiring.get("panels_on"):
        return []
    box = keys_box(board.pinout, board.keys) if "keys" in board.wiring["panels_on"] else bus_box(board.pinout)
    pins = " and ".join(number for number, label in box if label == "5V")
    return [(f"All ribbons out, power on: is there 5 V on pin {pins} of the box J3 ({len(box)} pins), and on no other pin?",
             f"J3 isn't wired as the board file says (pinout = {board.pinout}).",
             "Don't plug in a panel. Older consoles have 5 V on pins 1 and 2 of ten, older minis on pin 4: set pinout = "
             "1 under [panels] in the board file for them, and never plug in panels with the other pin-out.")]


def _meter(own_supply: bool, board: Board | None) -> list[tuple[str, str, str]]:
    """(question, what a no means, what to do then)."""
    found = [
        ("Is there more than 1,000 Ω between 5 V and GND of the LEDs, once the capacitor is charged (the reading climbs)?",
         "There is a short between 5 V and GND.",
         "Don't plug it in. Remove the track, then the panels, and measure again: the short is in the part that cures it. "
         "Check the capacitor's and the strip's polarity."),
        ("Is there more than 200 Ω between 3V3 (pin 36) and GND?", "There is a short between 3V3 and GND.",
         "Don't plug it in. Remove display, reader and panels one by one, and measure again."),
        ("Is there no connection between 5 V and any data wire of the LEDs?", "5 V touches a data wire.",
         "Don't plug it in: it would break the first LED and the level shifter. Look for solder bridges."),
    ]
    if board is not None and board.supply.guard:
        found += _guard()
    if own_supply:
        found += [
            ("Measure the supply's plug before you plug it in, as 12 V adapters fit too: is it 4.9 to 5.2 V, plus inside?",
             "That isn't the supply for this board.", "Don't plug it in: use one with 5 V, plus inside."),
            ("Take the Pico out of its socket and switch the supply on: is there 4.9 to 5.2 V on the LEDs' rail?",
             "The supply doesn't give 5 V at the rail.", "Check its switch, the fuse and the polarity."),
            ("With 1 kΩ from VSYS (pin 39 of the socket) to GND: is there 0.14 to 0.23 V between the rail and VSYS?",
             "VSYS is wrong.", "Check the Schottky diode D1: its ring points to the Pico. Less than 1 V at VSYS: it is "
             "reversed; 0 V between the rail and VSYS: it is bridged. (Without the resistor a meter can't tell.)"),
            ("Is there 0 V between VBUS (pin 40 of the socket) and GND?", "The supply reaches VBUS.",
             "It must never: with USB plugged in it would feed your computer. Separate them."),
            *_divider(board),
            ("Supply off, Pico in, USB only, 1 kΩ from 5 V to GND of the LEDs: is there less than 1 V on the LEDs' rail?",
             "USB feeds the LEDs' rail.",
             "With a supply, the rail must never be connected to VBUS (pin 40): separate them. Is D1 bridged?"),
        ]
    if not own_supply and board is not None:
        found.append(("With USB plugged in: is there less than 0.1 V between VBUS (pin 40) and the LEDs' 5 V?",
                      "The LEDs' rail isn't connected to VBUS.",
                      "It must go through F1 to pin 40; VSYS (pin 39) has 0.2 to 0.4 V less."))
    found.append(("With USB plugged in: is there 3.25 to 3.35 V between 3V3 (pin 36) and GND?",
                  "The Pico's 3.3 V is wrong.",
                  "Unplug it. Remove everything else; if it is still wrong, the Pico is damaged."))
    return found


def _divider(board: Board | None) -> list[tuple[str, str, str]]:
    """Questions about the divider that measures the rail, as `_meter` asks them."""
    pin = board.wiring.get("sense") if board is not None else None
    if pin is None:
        return []
    return [(f"Is there 2.3 to 2.7 V between pin {pico_pad(pin)} of the socket (GP{pin}) and GND?",
             f"The divider to GP{pin} is wrong.",
             "Don't put the Pico in: it takes 3.3 V at most there. Check R1 and R2, and look for solder across R1.")]


def _guard() -> list[tuple[str, str, str]]:
    """Questions about the two halves of the guard at the jack, as `_meter` asks them."""
    return [
        ("Take the Pico out. A 9 V battery at J1, minus to the middle, through 10 kΩ; 1 kΩ from 5 V to GND of the LEDs: "
         "is there less than 0.1 V between them?",
         "The guard lets a reversed plug through.", "Don't plug the supply in. Q1 is reversed or bridged."),
        ("The same battery the right way, plus to the middle, through 470 Ω: is there less than 1 V on the LEDs' rail after "
         "a minute?",
         "The guard lets more than 5 V through.", "Don't plug the supply in. Q2, U2 or Q3 is reversed or bridged."),
    ]


def sound(doctor: Examiner) -> Finding:
    """Plays a scale."""
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
            return fail("Nothing was heard: the piezo has no contact, or its own oscillator (then it can only beep).",
                        f"Check its wires ({doctor.wired('buzzer')} and GND); it must be a passive piezo.")
        doctor.service.attempt("sound", 0)


def display(doctor: Examiner) -> Finding:
    """A pattern of letters over the whole display."""
    value = doctor.service.attempt("display", 1)
    wiring = doctor.board.wiring.get("display_on") if doctor.board else None
    wiring = wiring or {}
    address = f"0x{wiring.get('address', 0x3C):02X}"
    if value["state"] == "missing":
        if doctor.part("display")[0] == "off":
            return skip("The board has no display.")
        return fail(f"No display answers at the address {address} ({doctor.wired('display_on') or 'its wires'}).",
                    "Check its four wires (VCC, GND, SDA, SCL: two makers swap VCC and GND); some displays have the "
                    "address 0x3D: then set address = 0x3D under [screen] in the board file.")
    if value["state"] == "fault":
        return fail(f"The display fails ({value.get('detail') or value.get('why')}).", "Check its four wires; they should "
                                                                                       "be shorter than 30 cm.")
    if doctor.person is None:
        return ok("It answers; nobody checked what it shows.")
    kind = wiring.get("kind", "sh1106")
    answer = doctor.person.ask("Does the display show six whole lines of letters, and no dots at its edges?",
                               ("yes", "no", "shifted"), "yes")
    doctor.service.attempt("display", 0)
    if answer == "yes":
        return ok("All letters are there.")
    other = "ssd1306" if kind == "sh1106" else "sh1106"
    if answer == "shifted":
        return fail(f"The picture is shifted, or has dots at an edge: it isn't a {kind}.",
                    f'Set kind = "{other}" under [screen] in the board file, then: gridglow sync')
    return fail(f"It answers at {address}, but shows nothing readable.",
                f'Try kind = "{other}" under [screen] in the board file; if that does not help, the display is damaged.')


def reader(doctor: Examiner) -> Finding:
    """The reader's version register, and a tag with an id of seven bytes."""
    value = doctor.service.attempt("reader", 1)
    pins = doctor.wired("reader_on")
    if value["state"] == "missing" and doctor.part("reader")[0] == "off":
        return skip("The board has no card reader.")
    version = str(value.get("version") or "")
    if value["state"] != "ok" or version in ("0x00", "0xff"):
        return fail("The card reader doesn't answer" + (f" (version {version})." if version else "."),
                    f"Check its wires ({pins}) and its 3.3 V (never 5 V); MISO and MOSI are often swapped.", **value)
    shown = version or "of unknown version"
    if doctor.person is None:
        doctor.service.attempt("reader", 0)
        return ok(f"It answers, {shown}; no card was put on it.", **value)
    doctor.person.say("Put a card or a tag on the reader (Enter if you have none).")
    uid = _card(doctor)
    value = doctor.service.attempt("reader", 2)
    doctor.service.attempt("reader", 0)
    data = {"version": version, "card_bytes": len(uid) // 2}
    if not uid:
        if value.get("why"):
            return fail(f"A card is refused: {value['why']}", "Use NTAG213 stickers, one at a time.", **data)
        return fail(f"The reader ({shown}) answers, but read no card.",
                    "Keep the card closer than 3 cm, and the reader 2 cm from metal; some clones read no cards at all.",
                    **data)
    more = "" if len(uid) == 14 else " NTAG stickers have seven; try one of these too."
    return ok(f"The reader ({shown}) has read a card with an id of {len(uid) // 2} bytes.{more}", **data)


def _card(doctor: Examiner) -> str:
    """The id of the card put down; "" if the person has none, or none comes in time."""
    person = doctor.somebody
    for _ in range(CARD_LOOKS):
        for uid in doctor.service.cards(LOOK_S):
            return uid
        if person.line(LOOK_S) is not None:
            return ""
    return ""
