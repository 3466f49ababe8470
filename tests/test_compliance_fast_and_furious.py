"""The compliance kit on Fast & Furious: a course with obstacles, one with a barrier, two teams on a loop."""

import compliance

TestStreet = compliance.suite("fast_and_furious", "street", "tokyo-drift")
TestBarriers = compliance.suite("fast_and_furious", "street", "all-timer")
TestTeams = compliance.suite("fast_and_furious", "tag-team", "tag-team")
