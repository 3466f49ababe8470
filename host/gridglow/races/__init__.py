"""Races on the host: set-ups from options, the spec's proofs, replays and measurements on every interpreter."""
