"""The screens of the board by state: idle, menu, start, race, podium, service."""


def screen_of(state):
    """The class of a state's screen. Each is loaded at its first use, or ahead of it between two ticks."""
    if state == "idle":
        from glow.board.idle import Idle
        return Idle
    if state == "menu":
        from glow.menu.setup import Menu
        return Menu
    if state == "start":
        from glow.board.sequence import Start
        return Start
    if state == "race":
        from glow.table.table import Table
        return Table
    if state == "podium":
        from glow.board.sequence import Podium
        return Podium
    from glow.service.screen import Service
    return Service
