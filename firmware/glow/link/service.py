"""What the host tool asks of service mode: to enter it, to leave it, and to try one part after another.

The mode itself is the screen in `glow.service.screen`.
"""


def take(link, message):
    """Handles `service` and `try`."""
    app = link.app
    if message["t"] == "service":
        _switch(link, message)
    elif app.state != "service":
        link.no(message, "board.service_off")
    else:
        app.screen.ask(message["what"], message.get("a") or 0, message.get("b") or 0, message.get("c") or 0)


def _switch(link, message):
    """Enters or leaves service mode. A running race is ended only with `force`; it stays saved."""
    app = link.app
    if not message["on"]:
        link.ok(message)
        if app.state == "service":
            app.go("idle")
    elif app.state == "service":
        link.ok(message)
    elif app.race is not None and not app.race.over and not message.get("force"):
        link.no(message, "board.service_race")
    else:
        link.ok(message)
        app.drop_race()
        app.go("service")
