"""The compliance kit on Ausgebremst: the family game on the easiest circuit, the pro game on one with chicanes."""

import compliance

TestFamily = compliance.suite("ausgebremst", "family", "bleifuss-drom")
TestPro = compliance.suite("ausgebremst", "pro", "nuerburg-ring")
