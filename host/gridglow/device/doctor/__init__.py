"""The doctor: a board's test steps, each with what was found, why, and what to do next.

``rounds``    the Doctor, who goes through them in their order
``alone``, ``lights``, ``panels``, ``hands``    the steps, by what they need: nobody, eyes, keys, a meter or a card
``examiner``  what a step finds, and what it has to work with
``bundle``    what belongs into a bug report
"""
