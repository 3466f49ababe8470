"""The work on single pixels: as machine code if there is some for this chip, else in plain Python."""
# ruff: noqa: F401 for other modules

try:
    from glow.lights.fast import (
        clear,
        count_lit,
        make_levels,
        pass_frame,
        put,
        put_all,
        put_cars,
        put_cells,
        put_tail,
        set_cells,
        take_frame,
    )
except (ImportError, ValueError, SyntaxError, NameError):  # no such module, made for another chip, no native emitter
    from glow.lights.plain import (
        clear,
        count_lit,
        make_levels,
        pass_frame,
        put,
        put_all,
        put_cars,
        put_cells,
        put_tail,
        set_cells,
        take_frame,
    )
