"""Compares where cells stand in the window with the layout that the API answers."""


def elements(service, at, page, hours=(8, 16), rows=None, **parameters):
    """The API's elements around an instant, by airing; those that the window cuts are left out."""
    grid = service.json(
        "/api/v1/grid", **{
            "from": at - hours[0] * 3600, "hours": sum(hours), "at": at, "rowHeight": page.measure("row"),
            "pointsPerHour": page.measure("hour"), "stationWidth": page.measure("column"),
            "headerHeight": page.measure("head"), **({"rows": rows} if rows else {}), **parameters})
    return grid["elements"]


def whole_airings(found):
    """Those with both ends inside of the window, by identifier."""
    return {
        element["airing"]: element for element in found
        if element["kind"] == "airing" and not element["clippedStart"] and not element["clippedEnd"]
    }


def expect_same_places(service, cells, at, page, slack=1.0, **parameters):
    """All cells stand as far from each other as in the API's layout; gives how many were compared."""
    known = whole_airings(elements(service, at, page, **parameters))
    pairs = [(cell, known[cell["id"]]["frame"]) for cell in cells if cell["id"] in known and cell["whole"]]
    assert pairs, "no cell of the page is in the API's answer"
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
    """How far the window's coordinates are from the layout's, along time."""
    known = whole_airings(elements(service, at, page, **parameters))
    found = sorted(cell["left"] - known[cell["id"]]["frame"]["x"] for cell in cells if cell["id"] in known and cell["whole"])
    assert found, "no cell of the page is in the API's answer"
    return found[len(found) // 2]
