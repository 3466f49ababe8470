"""A board that echoes: its keys and messages come back as faults, its pixels count. Both interpreters run it as a child.

    hal_board.py ROOT [--fast]      --fast: a fake clock, 2,000 ticks, one message and one frame each, then the end
"""

import json
import sys

from hal.virtual import VirtualHal


def main(root, fast):
    hal = VirtualHal(root, fake_clock=fast)
    frame = bytearray(3 * hal.pixels[0].count)
    ticks = 0
    slowest = 0
    stopped = False
    while not stopped and not (fast and ticks == 2000):
        now = hal.ticks_ms()
        begun = hal.ticks_us()
        open_ = hal.poll(now)
        for _t_ms, panel, key, down in hal.keys():  # noqa: SIM118
            hal.send({"t": "fault", "say": "%d %s %d" % (panel, key, down)})
        for message in hal.messages():
            if message["t"] == "stop":
                stopped = True
            hal.send({"t": "fault", "say": json.dumps(message["t"])})
        if not open_:
            break
        ticks += 1
        for place in range(4):
            frame[place] = (ticks >> (8 * place)) & 255
        hal.pixels[0].show(frame)
        if fast:
            hal.send({"t": "ok", "re": ticks})
        else:
            hal.sound.play("tick")
        hal.display.lines(["tick %d" % (ticks // 50), "", "", "", "", ""], 2 if ticks % 100 > 50 else 0)
        slowest = max(slowest, hal.ticks_diff(hal.ticks_us(), begun))
        hal.sleep_ms(5)
    counts = hal.counts()
    hal.send({"t": "fault", "say": "end " + json.dumps([ticks, slowest, counts["keys_lost"], counts["noise"],
                                                        counts["dropped"], counts["lost"]])})
    hal.drain(5000)


main(sys.argv[1], "--fast" in sys.argv)
