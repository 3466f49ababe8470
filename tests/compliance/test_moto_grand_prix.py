"""MotoGrandPrix passes the compliance kit."""

import compliance

TestBasic = compliance.suite("moto_grand_prix", "basic")
TestStandard = compliance.suite("moto_grand_prix", "standard")
TestExpert = compliance.suite("moto_grand_prix", "expert")
