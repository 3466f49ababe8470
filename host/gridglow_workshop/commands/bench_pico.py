"""The table of ``gridglow bench --engine pico``: each figure beside its budget, and whether it meets it.

Times are a real Pico's: they include the factor by which it is slower than the emulated one.
"""

from __future__ import annotations

from gridglow_workshop.bench.evening_pico import JUDGED
from gridglow_workshop.bench.measures_pico import BUDGETS

HEAD = ["WHAT", "FIGURE", "BUDGET", ""]


def _row(what: str, figure: str, budget: str = "", holds: bool | None = None) -> list[str]:
    return [what, figure, budget, "" if holds is None else "holds" if holds else "FAILS"]


def _ms(us: float, factor: float) -> str:
    return f"{us * factor / 1000:.1f} ms"


def pico_rows(found: dict) -> list[list[str]]:
    """The measurements of a script at the board's prompt (`measure_pico`)."""
    budgets, row = BUDGETS, _row
    factor = found["factor"]
    lights, limits = found["lights"], found["frame_ratio_percent"]
    races = len(found["least_of_races"])

    def ms(us: float) -> str:
        return _ms(us, factor)

    most = {name: f"at most {budgets[name] / 1000:.1f} ms" for name in ("piece_us",)}
    rows = [
        row("heap at the prompt", f"{found['heap']:,} bytes"),
        row(f"least free in {races} races" if races > 1 else "least free in the race",
            f"{found['least']:,} bytes, {found['free_percent']} %",
            f"at least {budgets['free_percent']} %", found["free_percent"] >= budgets["free_percent"]),
        row("effects, filling and limits of a frame, median", ms(lights[1])),
        row("of the CPU at 30 frames a second", f"{found['cpu_percent']} %", f"under {budgets['cpu_percent']} %",
            found["cpu_percent"] < budgets["cpu_percent"]),
        row("stock neopixel, the same pixels", ms(found["neopixel_us"])),
        row("limits, copy and DMA start compared with it", f"{limits / 100:.2f}",
            f"at most {budgets['frame_ratio_percent'] / 100:.2f}", limits <= budgets["frame_ratio_percent"]),
        row("frames on the wires, wrong ones", f"{found['frames']}, {found['bad_frames']}", "none wrong",
            not found["bad_frames"]),
        row("ticks of the race: median, 95th percentile, longest", ", ".join(ms(us) for us in found["ticks"][1:])),
        *(line for heavy in found["heavy"] for line in (
            row(f"options of the heaviest prompt, {heavy['name']} ({heavy['options']})", ms(heavy["options_us"])),
            row(f"the longest of {heavy['pieces']} pieces", ms(heavy["piece_us"]), most["piece_us"],
                heavy["piece_us"] * factor <= budgets["piece_us"]),
            *([row("work before it is answered", ms(heavy["foresee_us"])),
               row("the longest of its pieces", ms(heavy["foresee_piece_us"]), most["piece_us"],
                   heavy["foresee_piece_us"] * factor <= budgets["piece_us"])] if heavy["foresee_us"] else []),
            row("the answer that leads to it", ms(heavy["answer_us"])))),
        row("from the prompt to the idle screen", ms(found["boot_us"])),
        row("start of the largest race", ms(found["start_us"])),
    ]
    for name, pressed in found.get("presses", {}).items():
        what = f"press to light, {name}: median, 90th, 99th percentile, longest of {pressed['answered']}"
        figure = ", ".join(ms(pressed[key]) for key in ("median_us", "p90_us", "p99_us", "most_us"))
        rows.append(row(what, figure, f"90 % within {budgets['press_p90_us'] / 1000:.1f} ms, 99 % within "
                        f"{budgets['press_us'] / 1000:.1f} ms", pressed["p90_us"] * factor <= budgets["press_p90_us"]
                        and pressed["p99_us"] * factor <= budgets["press_us"]))
        rows.append(row(f"presses without a light, {name}", str(len(pressed["late"])), "none", not pressed["late"]))
    return rows


def evening_rows(found: dict, factor: float) -> list[list[str]]:
    """The observations from outside during one game's evening (`measure_evening`)."""
    budgets = BUDGETS
    name = found["game"]

    def least(what: str, one: dict, budget: int) -> list[str]:
        figure = f"{one['bytes']:,} bytes, {one['percent']} % ({one['state']}, {one['at_us'] * factor / 1e6:.1f} s)"
        return _row(f"{name}: {what}", figure, f"at least {budget} %", one["percent"] >= budget)

    def within(what: str, us: float, budget_us: int) -> list[str]:
        """A row; "not seen" if the time is 0."""
        return _row(f"{name}: {what}", _ms(us, factor) if us else "not seen", f"at most {budget_us / 1000:.0f} ms",
                    0 < us * factor <= budget_us)

    races = f"{found['races']} races" if found["races"] > 1 else "1 race"
    what = f"{name}: {found['variant']} on {found['track']}, {found['seats']} bots"
    rows = [
        _row(what, races + (" to the podium" if found["podium"] else "")),
        least(f"least free after any of {found['collections']} collections", found["after"], budgets["free_percent"]),
        least("least free at any moment", found["raw"], budgets["raw_percent"]),
        within("power to a lit pixel", found["lit_us"], budgets["lit_us"]),
        within("power to the text on the display", found["text_us"], budgets["menu_us"]),
    ]
    for number, start in enumerate(found["starts"], 1):
        of = f" (race {number})" if found["races"] > 1 else ""
        rows += [within('OK on "start" to its light' + of, start["light_us"], budgets["start_us"]),
                 within("to the first start light" + of, start["first_us"], budgets["start_light_us"])]
    for state, ticks in found["ticks"].items():
        figure = f"{_ms(ticks['p99_us'], factor)}, {_ms(ticks['most_us'], factor)}"
        what = f"{name}: ticks in {state!r}: 99th percentile, longest of {ticks['count']}"
        rows.append(_row(what, figure, f"at most {budgets['tick_us'] / 1000:.0f} ms",
                         ticks["most_us"] * factor <= budgets["tick_us"]) if state in JUDGED else _row(what, figure))
    rows += [_row(f"{name}: ticks in {state!r}", "not seen", f"at most {budgets['tick_us'] / 1000:.0f} ms", False)
             for state in JUDGED if state not in found["ticks"]]
    rows.append(_row(f"{name}: wrong frames, restarts", f"{found['bad_frames']}, {found['stops']}", "none",
                     not found["bad_frames"] and not found["stops"]))
    return rows
