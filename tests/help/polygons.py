"""Where points are in drawings."""


def inside(point, polygon):
    """Whether the point is inside the polygon."""
    x, y = point
    crossed = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            crossed = not crossed
    return crossed
