"""Compares the positions of cells in the window with the layout from the API."""


def elements(service, at, page, hours=(8, 16), rows=None, **parameters):
    """Returns the API's grid elements around an instant."""
    grid = service.json(
        "/api/v1/grid", **{
            "from": at - hours[0] * 3600, "hours": sum(hours), "at": at, "rowHeight": page.measure("row"),
            "pointsPerHour": page.measure("hour"), "stationWidth": page.measure("column"),
            "headerHeight": page.measure("head"), **({"rows": rows} if rows else {}), **parameters})
    return grid["elements"]


def unclipped_airings(found):
    """Returns the airings with both ends inside the window, by identifier."""
    return {
        element["airing"]: element for element in found
        if element["kind"] == "airing" and not element["clippedStart"] and not element["clippedEnd"]
    }


def expect_same_places(service, cells, at, page, slack=1.0, **parameters):
    """Verifies that all cells have the same relative positions as in the API's layout; returns the number compared."""
    known = unclipped_airings(elements(service, at, page, **parameters))
    pairs = [(cell, known[cell["id"]]["frame"]) for cell in cells if cell["id"] in known and cell["complete"]]
    assert pairs, "no cell of the page is in the API's response"
    first, frame = pairs[0]
    across, down = first["left"] - frame["x"], first["top"] - frame["y"]
    wrong = []
    for cell, frame in pairs:
        seen = (cell["left"] - across, cell["top"] - down, cell["width"], cell["height"])
        wanted = (frame["x"], frame["y"], frame["width"], frame["height"])
        if any(abs(one - other) > slack for one, other in zip(seen, wanted)):
            wrong.append(f"{cell['text'][:30]!r} is at {seen}, by the API at {wanted}")
    assert not wrong, f"{len(wrong)} of {len(pairs)} differ: " + "; ".join(wrong[:4])
    return len(pairs)


def offset(service, cells, at, page, **parameters):
    """Returns the offset of window coordinates from layout coordinates along the time axis."""
    known = unclipped_airings(elements(service, at, page, **parameters))
    found = sorted(cell["left"] - known[cell["id"]]["frame"]["x"] for cell in cells if cell["id"] in known and cell["complete"])
    assert found, "no cell of the page is in the API's response"
    return found[len(found) // 2]
