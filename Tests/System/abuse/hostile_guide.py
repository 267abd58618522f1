"""A guide in which every text and URL is a payload."""

import re
from xml.sax.saxutils import escape, quoteattr

from payloads import ALL, LINKS, TEXTS
from support.times import xmltv_time

#: Characters that XML cannot contain, even as references.
NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def text(value):
    return escape(NOT_XML.sub("", value))


def attribute(value):
    """Quotes an attribute value so that its white space survives the parser."""
    quoted = quoteattr(NOT_XML.sub("", value))
    return quoted.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


def programme(number, identifier, at, stop):
    """Returns a programme whose elements contain successive payloads, starting with `number`."""
    one, two, three = (TEXTS[(number + step) % len(TEXTS)] for step in range(3))
    link = LINKS[number % len(LINKS)]
    other = LINKS[(number + 7) % len(LINKS)]
    return (
        f'<programme start="{xmltv_time(at)}" stop="{xmltv_time(stop)}" channel={attribute(identifier)}>'
        f"<title lang={attribute(two[:60])}>{text(one)}</title><title>{text(two)}</title><sub-title>{text(two)}</sub-title>"
        f"<desc>{text(three)} {text(one)}</desc><credits><director>{text(one)}</director>"
        f"<actor role={attribute(two)}>{text(three)}<image>{text(link)}</image><url>{text(other)}</url></actor></credits>"
        f"<category>{text(one)}</category><category>News</category><keyword>{text(two)}</keyword>"
        f"<icon src={attribute(link)}/><url system={attribute(one)}>{text(other)}</url><country>{text(three)}</country>"
        f"<episode-num system={attribute(two)}>{text(one)}</episode-num><premiere>{text(two)}</premiere><new/>"
        f"<rating system={attribute(one)}><value>{text(two)}</value><icon src={attribute(other)}/></rating>"
        f"<star-rating system={attribute(three)}><value>{text(one)}</value></star-rating>"
        f"<review type=\"text\" source={attribute(one)} reviewer={attribute(two)}>{text(three)}</review>"
        f'<review type="url">{text(link)}</review><image type="poster">{text(other)}</image></programme>')


def guide(start):
    """Returns a guide with two hours of programmes on one station per payload."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?><tv>']
    stations = []
    for number, payload in enumerate(ALL):
        identifier = f"{number} {NOT_XML.sub('', payload)[:120].strip()}"
        identifier = re.sub(r"\s+", " ", identifier)
        stations.append(identifier)
        link = LINKS[number % len(LINKS)]
        parts.append(
            f"<channel id={attribute(identifier)}><display-name>{text(payload)}</display-name>"
            f"<display-name>{text(TEXTS[number % len(TEXTS)])}</display-name><icon src={attribute(link)}/>"
            f"<url>{text(link)}</url></channel>")
    for number, identifier in enumerate(stations):
        for step in range(4):
            at = start + step * 1800
            parts.append(programme(number + step, identifier, at, at + 1800))
    parts.append("</tv>")
    return "\n".join(parts).encode()
