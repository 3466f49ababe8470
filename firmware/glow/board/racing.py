"""Races on the board: start, resume, finish, drop; a part of `app.App`."""

from glow.board.guarded import Guarded
from shared_rules.errors import GridglowError

#: Faults that end with their race.
OF_RACE = ("leds", "save race", "save journal")


class Racing(Guarded):
    """The part of `App` that starts and ends races. The start itself is in `board/races.py`, a piece in each tick."""

    @property
    def cars(self):
        """The rows of ``game.cars()`` of the race; [] if there is none."""
        return self.speech.cars

    def start_race(self, plain, panels=None):
        """Starts a race at once; "" or the sentence that says why not. ``panels``: a list of seats for each panel."""
        return self._at_once(self.begin_race, plain, panels)

    def _at_once(self, begin, *args):
        said = []
        begin(*args, said.append)
        while self.beginning:
            self.beginning.piece()
        return said[0]

    def begin_race(self, plain, panels, told):
        """Starts a race, a piece in each tick; `told` is called with "" once it runs, or with the sentence that says why
        not."""
        from glow.board import races  # loaded with the first race, like everything that follows from it
        self._begin(races.starting(self, plain, panels), self._run_started, told)

    def _run_started(self):
        self.go("race" if self.instant else "start")

    def _begin(self, work, run, told):
        if self.beginning:
            told(self.texts.get("board.set_up_loading"))
            return
        from glow.board.beginning import Beginning  # as for begin_race
        self.hal.keep_lines(True)
        self.collect()
        self.beginning = Beginning(self, work, run, told)
        while self.instant and self.beginning:
            self.beginning.piece()

    def saved_race(self):
        """Whether a race is waiting to be resumed."""
        return self.settings.get("open", 0) == 1

    def resume_race(self):
        """Resumes the saved race at once; "" or the sentence that says why not."""
        return self._at_once(self.begin_resume)

    def begin_resume(self, told):
        """Resumes the saved race, a piece in each tick; `told` as in begin_race."""
        if self.table and self.race:
            told("")
            return
        from glow.board import races  # as for begin_race
        self._begin(races.resuming(self), self._run_resumed, told)

    def _run_resumed(self):
        if self.race.over:
            self._count_in_season()
            self._to_podium()
        else:
            self.go("race")

    def check_race(self, plain):
        """"" if this race could be started here, else the sentence that says why not."""
        from glow.board import races  # as for begin_race
        try:
            for _ in races.checking(self, plain):
                pass
        except GridglowError as error:
            return str(error)
        return ""

    def waits_for_bots(self):
        """Whether a race is under way that goes on without anybody at a panel (or has just ended)."""
        race = self.race
        return race is not None and (race.over or any([race.is_for_bot(p) for p in race.prompts]))

    def _finish_race(self):
        """The race is over: on to the podium. A player who has raced once knows the questions."""
        try:
            if self.table.questions.teacher:
                self.settings.put("teach", 0)
            self._count_in_season()
            self._to_podium()
        except Exception as error:
            self.race_failed(error)

    def _to_podium(self):
        self.go("podium")
        self.saved(self.settings.put("open", 0))   # the race has reached its podium

    def in_season(self):
        """Whether the race may belong to the board's season."""
        return self.race.setup.season != "" and self.settings.get("season", 0) == 1

    def _count_in_season(self):
        if self.in_season():
            self.safely("save", self._note_in_season)

    def _note_in_season(self):
        from glow.season import season  # loaded if the board keeps a season
        season.note(self)

    def stop_race(self):
        """Leaves whatever is running; a race stays saved."""
        self.drop_race()
        self.go("idle")

    def _end_faults(self):
        for about in OF_RACE:
            self.fault_over(about)

    def drop_race(self):
        """Forgets the race (but not its save)."""
        if self.note_of_race:
            self.note = ""
        if self.lasting:
            self.safely("link", self._end_faults)
        self.race = None
        self.ahead = []
        self.table = None
        self.speech.take_race(None)
        self.panels.serve(self.panel_count, self.panel_count)
