"""What can be seen of a race, whatever the game: lights, sound, page and log draw from it alone."""


class Scene:
    """Plain lists, filled by the game.

    ``cars``    [car, space, status], status "run", "done" or "out", space -1 off the board
    ``marks``   [space, word] spaces with something on them (a token, an obstacle)
    ``dials``   [seat, car, text key, value, max]
    ``lines``   [text key, arg, …] lines for the display
    ``events``  what happened since the last scene, in order: ["moved", car, [space, …]],
    ["rolled", seat, car, [face, …]], ["flipped", seat, car, [face, …]], ["lap", n, laps],
    ["finished", car, place], ["out", car], ["grid", car, space], ["turn", n], ["left", seat],
    ["undone", n], ["spent", car, text key, n], ["bumped", car, space]
    """

    def __init__(self):
        self.cars = []
        self.marks = []
        self.dials = []
        self.lines = []
        self.events = []
        self.lap = 0
        self.laps = 0
        self.track = None

    def texts(self):
        """One string a fact, for the spec's vectors: "car 1 at 12b", "lap 1 of 6", …"""
        out = []
        for car, space, status in self.cars:
            out.append("car %d %s" % (car, "at " + self._name(space) if space >= 0 else status))
        for space, word in self.marks:
            out.append("mark %s %s" % (self._name(space), word))
        for dial in self.dials:
            out.append("dial " + " ".join([str(part) for part in dial[1:]]))
        for line in self.lines:
            out.append("line " + " ".join([str(part) for part in line]))
        if self.laps:
            out.append("lap %d of %d" % (self.lap, self.laps))
        for event in self.events:
            words = [event[0]]
            for at, part in enumerate(event[1:]):
                if event[0] in ("moved", "grid", "bumped") and at == 1:
                    spaces = part if isinstance(part, list) else [part]
                    words.extend([self._name(space) for space in spaces])
                elif isinstance(part, list):
                    words.extend([str(value) for value in part])
                else:
                    words.append(str(part))
            out.append("event " + " ".join(words))
        return out

    def _name(self, space):
        return self.track.space_name(space) if self.track and space >= 0 else "-"
