"""MotoGrandPrix passes the compliance kit."""

import compliance

TestBasic = compliance.suite("moto_grand_prix", "basic")
