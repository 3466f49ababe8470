"""The doctor: a board's test steps, each with what was found, why, and what to do next.

``rounds``    the Doctor, who goes through the steps in order
``alone``, ``lights``, ``panels``, ``hands``    the steps, by what they need: nobody, eyes, keys, a meter or a card
``examiner``  a step's result, and what a step works with
``bundle``    the content of a bug report
"""
