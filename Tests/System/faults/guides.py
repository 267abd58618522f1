"""Generated guides, deterministic for the same parameters, in several editions."""

from support.times import xmltv_time

DAY = 86_400
HALF_HOUR = 1_800
TITLES = ("The Harbour", "Night Ferry", "Second Helpings", "Voices", "The Long Field", "Quiz Night", "Weather", "Kestrel")
WORDS = ("lighthouse", "orchard", "ledger", "railway", "winter", "harvest", "signal", "violin", "granite", "meadow", "copper")


class Guide:
    """A guide of consecutive half-hour programmes on every station, starting at midnight.

    Editions have the same stations. In each, the title of every third programme names the edition. In the odd ones, programmes
    of stations whose number is a multiple of five change ten minutes later, so no viewport of two hours on a station is the
    same in two editions. All editions start and end at the same instants.
    """

    def __init__(self, stations: int, days: int, start: int) -> None:
        self.stations = stations
        self.days = days
        self.start = start - start % DAY

    @property
    def stop(self) -> int:
        return self.start + self.days * DAY

    @property
    def programmes(self) -> int:
        return self.stations * self.days * (DAY // HALF_HOUR)

    def xml(self, edition: int, days: int | None = None, stations: int | None = None) -> bytes:
        """Returns the guide as XMLTV, optionally with fewer days or stations."""
        shown = range(self.stations if stations is None else stations)
        parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<tv generator-info-name="faults">\n']
        for number in shown:
            parts.append(
                f'<channel id="station-{number}.example"><display-name>Station {number}</display-name>'
                f"<lcn>{number + 1}</lcn></channel>\n")
        for number in shown:
            later = 600 * (edition % 2) if number % 5 == 0 else 0
            count = (self.days if days is None else days) * (DAY // HALF_HOUR)
            for index in range(count):
                begin, end = (later if index > 0 else 0), (later if index < count - 1 else 0)
                parts.append(self._programme(number, index, edition, begin, end))
        parts.append("</tv>\n")
        return "".join(parts).encode()

    def _programme(self, number: int, index: int, edition: int, begin: int, end: int) -> str:
        at = self.start + index * HALF_HOUR
        mix = number * 7919 + index * 104_729
        again = f" edition {edition}" if index % 3 == 0 else ""
        text = " ".join(WORDS[(mix >> step) % len(WORDS)] for step in range(12))
        return (
            f'<programme start="{xmltv_time(at + begin)}" stop="{xmltv_time(at + HALF_HOUR + end)}" channel="station-{number}.example">'
            f'<title lang="en">{TITLES[mix % len(TITLES)]} {mix % 997}{again}</title>'
            f'<sub-title lang="en">Part {index}</sub-title><desc lang="en">{text}.</desc>'
            f"<category>Series</category></programme>\n")
