"""The compliance kit on Full Throttle!, on both house tracks."""

import compliance

TestTrackA = compliance.suite("full_throttle", "standard", "track-a")
TestTrackB = compliance.suite("full_throttle", "standard", "track-b")
