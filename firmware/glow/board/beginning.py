"""Starting or resuming a race: a piece of the work in each tick, so that lights and display keep going."""

from shared_rules.errors import GridglowError


class Beginning:
    """``work`` yields None between its pieces (see glow.board.races); ``run`` is called once all is done, and
    shows the race. ``told`` is called at the end with "" or with the sentence that says why there is no race."""

    def __init__(self, app, work, run, told):
        self.app = app
        self.works = False                         # a piece is running right now
        self._work = work
        self._run = run
        self._told = told

    def piece(self):
        """Does the next piece. Raises only errors that aren't ours, after reporting them."""
        self.works = True
        try:
            next(self._work)
            self.works = False
            return
        except StopIteration:
            say = ""
        except GridglowError as error:
            say = str(error)
        except MemoryError as error:
            self.app.drop_race()
            self.app.part_failed("race", error)
            say = self.app.texts.get("board.no_memory")
        except Exception:
            self._end(self.app.texts.get("board.failed"))
            raise
        if not say:
            self._show()
        self._end(say)

    def _show(self):
        self.app.beginning = None
        try:
            self._run()
        except Exception:
            self._end(self.app.texts.get("board.failed"))
            raise

    def stop(self):
        """Somebody has gone to another screen in the meantime."""
        self._end(self.app.texts.get("board.no_race"))

    def _end(self, say):
        self.works = False
        self.app.beginning = None
        self._work.close()
        self._told(say)
