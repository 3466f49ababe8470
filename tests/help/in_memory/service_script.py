"""A board with all parts and one that has lost some, in service mode: what `try` answers. Both interpreters run it.

``main([ROOT])`` prints a line for each answer; times are the fake clock's.
"""

from script_hal import Script, ScriptHal

from hal import CONSOLE, DICE_PAD


class Reader:
    """A card reader for cards laid down by a test."""

    def __init__(self):
        self.waiting = []
        self.lying = ""  # what was put down before
        self.reason = ""

    def version(self):
        return 0x92

    def refused(self):
        reason, self.reason = self.reason, ""
        return reason

    def again(self):
        if self.lying:
            self.waiting.append(self.lying)

    def card(self):
        return self.waiting.pop(0) if self.waiting else ""


class Supply:
    """A supply of this many mV."""

    def __init__(self, mv):
        self.mv = mv

    def millivolts(self):
        return self.mv

    def on(self):
        return self.mv > 4000


class ServiceHal(ScriptHal):
    """A board with parts; ``without`` names the missing ones; "gone" ones no longer answer."""

    def __init__(self, root, without=(), gone=()):
        super().__init__(root)
        self.panel_count = 2
        names = ("pixels", "panels", "console", "dice_pad", "display", "reader", "buzzer", "supply")
        states = [[name, "off" if name in without else "missing" if name in gone else "ok", ""] for name in names]
        self.parts = states
        self.parts_serial = 0
        self.reader = None if "reader" in without else Reader()
        self.supply = None if "supply" in without else Supply(5012)
        self.watchdogs = []
        self.board["wiring"] = {"chip": "rp2040"}
        if "console" not in without:
            self.board["wiring"]["console"] = {"a": 6, "b": 7, "push": 13, "ok": 21, "back": 22}

    def watchdog(self, on):
        self.watchdogs.append(on)


def service_board(root, **more):
    """A Script of a board that has just started."""
    from glow.app import App
    driver = Script(App(ServiceHal(root, **more), pace="fast"))
    driver.run(50)
    return driver


def say(driver, kind, **fields):
    """The host sends something; returns the immediate answers: (type, message)."""
    fields["t"] = kind
    fields["n"] = 5
    before = len(driver.hal.sent)
    driver.hal.say(fields)
    driver.tick()
    for message in driver.hal.sent[before:]:
        if message["t"] in ("ok", "no", "tried"):
            return message["t"], message
    return "", {}


def attempt(driver, what, a=0, b=0, c=0):
    """Tries something; returns its value."""
    kind, message = say(driver, "try", what=what, a=a, b=b, c=c)
    return message["value"] if kind == "tried" else kind


def shown(value):
    """A value as a text that is the same everywhere."""
    if not isinstance(value, dict):
        return str(value)
    skip = ("free", "used", "largest", "size", "us", "most_us", "show_us", "show_most_us")
    return " ".join(["%s=%s" % (key, value[key]) for key in sorted(value) if key not in skip])


def main(arguments):
    driver = service_board(arguments[0])
    hal = driver.hal
    print(say(driver, "try", what="dark")[0], say(driver, "service", on=1)[0], driver.app.state)
    for what, a, b, c in (("colours", 1, 0, 0), ("colours", 4, 1, 0), ("colours", 0, 2, 0), ("pixel", 0, 7, 0x00FF00),
                          ("pixel", 0, 9999, 0), ("pixel", 9, 0, 0), ("fill", 255, 255, 0), ("fill", 1, 10, 0xFF0000),
                          ("count", 0, 0, 0), ("count", 0, 44, 0), ("keys", 1, 0, 0), ("keys", 2, 0, 0),
                          ("encoder", 1, 0, 0), ("reader", 1, 0, 0), ("display", 1, 0, 0), ("display", 0, 0, 0),
                          ("sound", 0, 0, 0), ("supply", 0, 0, 0), ("flash", 0, 0, 0), ("say LED 7|12b?", 0, 0, 0),
                          ("leds gp-ring 0 1 -1", 0, 0, 0), ("leds gp-ring", 0, 0, 0), ("leds ../boot 0", 0, 0, 0),
                          ("leds gp-ring 0 x", 0, 0, 0), ("nothing", 0, 0, 0)):
        print(what, a, b, c, shown(attempt(driver, what, a, b, c)), [strip.crc() for strip in hal.pixels])
    hal.edge(1, "OK", 1)
    hal.edge(CONSOLE, "NEXT", 1)
    hal.edge(DICE_PAD, "4", 1)
    driver.run(100)
    print(shown(attempt(driver, "keys", 2)), shown(attempt(driver, "encoder")))
    hal.reader.waiting.append("04A1B2C3D4E5F6")
    driver.run(300)
    print([message["uid"] for message in hal.kinds("card")], shown(attempt(driver, "reader", 2)))
    attempt(driver, "latency", 1)
    for _ in range(3):
        driver.press(1, "OK")
    print(shown(attempt(driver, "latency", 2)))
    attempt(driver, "rate")
    driver.run(2500)
    print(shown(hal.kinds("tried")[-1]["value"]))
    print(attempt(driver, "memory")["state"] in ("ok", "missing"), [str(error) for error in hal.errors])
    print(say(driver, "service", on=0)[0], driver.app.state)
