"""What can be seen of a race, in every game: lights, sound, page and log use only this and its events.

The events (``Race.take_events()``) say what has happened, in order: ["moved", car, [space, …]],
["rolled", seat, car, [face, …]], ["flipped", seat, car, [face, …]], ["drew", seat, car, [card, …]], ["lap", n, laps],
["finished", car, place], ["out", car], ["grid", car, space], ["turn", n], ["left", seat], ["undone", n], ["kept", seat],
["corrected", n], ["spent", car, text key, n], ["bumped", car, space], ["contact", [car, …]], ["sideslip", car],
["wheelie", car], ["called", car, [space, …]] (about to count these, beginning with its own),
["crossed", car, n] (over the line for the nth time), ["told", [text key, arg, …]] (a sentence for a moment on the
display; it reaches neither link nor log: whatever should stay readable goes into ``lines`` as well)
"""


class Scene:
    """Plain lists, filled by the game.

    ``cars``    [car, space, status], status "run", "done" or "out", space -1 off the board, as before the start
    ``marks``   [space, word] spaces with something on them (a token, an obstacle): dim and white, or in the colour that the
    game's MARK_COLOURS name for the word. The track's marks are lit only if the game puts them here
    ``dials``   [seat, car, text key, value, max]
    ``lines``   [text key, arg, …] lines for the display
    """

    def __init__(self):
        self.cars = []
        self.marks = []
        self.dials = []
        self.lines = []
        self.lap = 0
        self.laps = 0
        self.track = None
