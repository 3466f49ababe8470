"""What a table does when the rules themselves fail. Loaded for that only."""


def take_up(table, error):
    """Takes the race up from what is saved, or leaves it saved where that has failed three times."""
    app = table.app
    faults = table.rules_faults + 1
    app.part_failed("race", error)
    app.race = None
    say = _resumed(app) if faults < 3 else "-"
    if say:
        app.stop_race()
        app.fault(app.texts.get("board.race_stopped"))
    elif app.table:
        app.table.rules_faults = faults


def _resumed(app):
    try:
        return app.resume_race()
    except Exception as error:
        app.part_failed("race", error)
        return "-"
