"""The model of a circuit: components with pins, and the wires between them.

Wires are what a builder solders, so they come first; nets (everything joined together) follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

End = tuple[str, str]  # reference of a component, number of its pin


@dataclass(frozen=True)
class Component:
    """A part in its place. ``role`` is its key in [parts], or empty for a rail, which isn't a part; ``pins`` are (number,
    label); pins of one label are joined inside. ``bom`` False: bought with another part, like a string's next piece."""

    ref: str
    role: str
    module: str
    pins: tuple[tuple[str, str], ...]
    value: str = ""
    name: str = ""
    bom: bool = True

    def pin(self, label: str) -> End:
        """The end of a wire at the first pin with this label. Raises KeyError if there is none."""
        for number, name in self.pins:
            if name == label:
                return self.ref, number
        raise KeyError(f"{self.ref} has no pin {label}")


@dataclass(frozen=True)
class Wire:
    """A wire in one diagram; ``kind`` is "power", "signal", "ribbon" or "string" (which comes with its pixels)."""

    module: str
    net: str
    a: End
    b: End
    kind: str


@dataclass
class Circuit:
    """All components and wires of a console, its panels and a track module, in the order in which they were added."""

    components: dict[str, Component] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)  # for each module with a diagram

    def add(
        self, ref: str, role: str, module: str, pins: Iterable[tuple[str, str]], value: str = "", name: str = "",
        bom: bool = True,
    ) -> Component:
        """Adds a component; a reference that ends in "?" gets the next number."""
        if ref.endswith("?"):
            number = 1
            while f"{ref[:-1]}{number}" in self.components:
                number += 1
            ref = f"{ref[:-1]}{number}"
        assert ref not in self.components, ref
        self.components[ref] = Component(ref, role, module, tuple(pins), value, name, bom)
        return self.components[ref]

    def wire(self, module: str, net: str, a: End, b: End, kind: str = "signal") -> None:
        """Adds a wire between two existing pins; none if the pin is "?", a GPIO that a faulty board file doesn't give."""
        if "?" in (a[1], b[1]):
            return
        for ref, number in (a, b):
            assert number in [pin for pin, _ in self.components[ref].pins], (ref, number)
        self.wires.append(Wire(module, net, a, b, kind))

    def nets(self) -> dict[str, list[End]]:
        """Every net by name, with all its pins: joined by wires, or inside components.

        Raises ValueError if wires of two names meet, or wires of one name don't: then the circuit is wrong.
        """
        joined: dict[End, End] = {}

        def root(end: End) -> End:
            while joined.setdefault(end, end) != end:
                end = joined[end]
            return end

        for one in self.components.values():
            first: dict[str, str] = {}
            for number, label in one.pins:
                joined[root((one.ref, number))] = root((one.ref, first.setdefault(label, number)))
        for wire in self.wires:
            joined[root(wire.a)] = root(wire.b)
        names: dict[End, str] = {}
        for wire in self.wires:
            if names.setdefault(root(wire.a), wire.net) != wire.net:
                raise ValueError(f"the nets {names[root(wire.a)]} and {wire.net} meet at {wire.a} or {wire.b}")
        if len(set(names.values())) < len(names):
            twice = sorted(name for name in names.values() if list(names.values()).count(name) > 1)
            raise ValueError(f"the net {twice[0]} is in pieces")
        nets: dict[str, list[End]] = {name: [] for name in names.values()}
        for one in self.components.values():
            for number, _ in one.pins:
                name = names.get(root((one.ref, number)))
                if name is not None:
                    nets[name].append((one.ref, number))
        return nets
