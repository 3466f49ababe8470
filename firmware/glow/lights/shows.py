"""What the whole track shows outside of the race: the idle show, the five start lights, the podium."""

from glow.lights.colours import WARNING, WORDS, rgb
from glow.lights.effects import BRIGHTER, paint
from glow.lights.quick import put, put_all
from hal import ticks_diff

FIRST_LIGHT_MS = 70  # of darkness, so that the first light is seen to come on
BETWEEN_LIGHTS_MS = 1000
AFTER_GO_MS = 400
LIGHTS = 5
RED = paint(WARNING, 255)

IDLE_ROW_MS = 90
IDLE_TAIL = (255, 120, 56, 24, 10)
PODIUM_STEP_MS = 100

_IDLE_COLOURS = tuple([rgb(word) for word in WORDS[:4]])


def step(mode, now, calm):
    """A number that changes as often as this show's drawing does."""
    if mode == "podium":
        return now // PODIUM_STEP_MS
    return now // (2 * IDLE_ROW_MS if calm else IDLE_ROW_MS)


def draw_idle(frame, track, steps, dim):
    """Comets in the cars' colours circle the dark track; `dim` halves them (while somebody reads the menu)."""
    for comet in range(len(_IDLE_COLOURS)):
        # Comets start evenly spread, and share one time for a round, so that they never meet.
        head = steps + comet * track.rows // len(_IDLE_COLOURS)
        lane = (steps // track.rows + comet) % track.lanes
        for back in range(len(IDLE_TAIL)):
            level = IDLE_TAIL[back] // 2 if dim else IDLE_TAIL[back]
            put(frame, track.pixel_at(head - back, lane), paint(_IDLE_COLOURS[comet], level) | BRIGHTER)


class StartLights:
    """Five lights, one a second, over the first rows behind the line; after a random hold all go out: go."""

    def __init__(self, now, hold_ms):
        """Start the sequence; `hold_ms` is the random time from the fifth light to go."""
        self._begun = now
        self._go_ms = FIRST_LIGHT_MS + (LIGHTS - 1) * BETWEEN_LIGHTS_MS + hold_ms

    def skip(self, now):
        """Go at once."""
        if ticks_diff(now, self._begun) < self._go_ms:
            self._go_ms = max(ticks_diff(now, self._begun), 0)

    def phase(self, now):
        """0 to 5: how many lights are lit; 6: go, all are out; -1: no sequence is running (any more)."""
        done = ticks_diff(now, self._begun)
        if done >= self._go_ms + AFTER_GO_MS:
            return -1
        if done >= self._go_ms:
            return 6
        if done < FIRST_LIGHT_MS:
            return 0
        return min(1 + (done - FIRST_LIGHT_MS) // BETWEEN_LIGHTS_MS, LIGHTS)

    def draw(self, frame, track, now):
        """Draw the lights that are lit."""
        lit = self.phase(now)
        if 0 < lit <= LIGHTS:
            lit = track.span(0, min(lit, track.rows))
            put_all(frame, track.grid, lit, RED)


def draw_podium(frame, track, steps, colours):
    """The first three cars' colours share the track 5 : 3 : 2 and drift slowly; a soft crest runs along."""
    if not colours:
        return
    rows = track.rows
    crest = (3 * steps) % rows
    first_end = rows // 2 if len(colours) > 1 else rows
    second_end = rows * 4 // 5 if len(colours) > 2 else rows
    begin = 0
    for place in range(len(colours)):
        stand_end = first_end if place == 0 else second_end if place == 1 else rows
        low = paint(colours[place], 72)
        row = (begin - steps) % rows
        end = row + stand_end - begin
        put_all(frame, track.grid, track.span(row, min(end, rows)), low)
        if end > rows:
            put_all(frame, track.grid, track.span(0, end - rows), low)
        begin = stand_end
    for ahead in range(min(8, rows)):
        row = (crest - ahead) % rows
        stand = (row + steps) % rows
        colour = colours[0 if stand < first_end else 1 if stand < second_end else 2]
        put_all(frame, track.grid, track.span(row, row + 1), paint(colour, 72 + (8 - ahead) * 16))
