"""A page's own clock, moved on by hand: what it does after seconds is seen at once. The page has to have one
(`page.clock.install()`) before it is opened."""

STEP_MS = 500
#: In real time, for what comes over the network between two steps.
BREATH_MS = 20


def pass_ms(page, count_ms, until=lambda: False):
    """So much time passes for the page, in steps, until a condition holds; whether it does."""
    for _ in range(-(-count_ms // STEP_MS)):
        if until():
            return True
        page.clock.run_for(STEP_MS)
        page.wait_for_timeout(BREATH_MS)
    return until()
