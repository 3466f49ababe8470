"""The addresses of the seats' pages, for a page in Chromium."""

PHONE = {"width": 360, "height": 740}


def links(page, board):
    """The path of each seat's page, by seat."""
    for _ in range(60):
        rows = page.request.get(board.address + "seats.json").json()["seats"]
        if rows:
            return {row["seat"]: row["link"].split("/", 3)[3] for row in rows}
        page.wait_for_timeout(100)
    raise AssertionError("no links")


def path_of(page, board, whose):
    """The path of the main page ("table"), or of seat 1's ("seat"), for which the page gets the size of a phone."""
    if whose == "table":
        return ""
    page.set_viewport_size(PHONE)
    return links(page, board)[1]
