"""Emulates the graphics protocols of terminals: kitty and sixel."""

import base64
import re


class Picture:
    """A picture whose top left corner is in a cell. `pixels` are rows of (red, green, blue, opacity)."""

    def __init__(self, column, row, pixels):
        self.column, self.row, self.pixels = column, row, pixels
        self.width, self.height = len(pixels[0]), len(pixels)


class Pictures:
    """Interprets the control strings that draw pictures. A string that violates the specification is an error."""

    def __init__(self, protocols, cell, reply):
        self.has_kitty, self.has_sixel = "kitty" in protocols, "sixel" in protocols
        self.cell = cell
        self.shown = {}
        self._reply = reply
        self._chunks = None

    def erase(self):
        """Erases all pictures, as erasing the screen does."""
        self.shown.clear()

    def interpret(self, introducer, text, column, row):
        """Interprets a string after ESC and P or _, with the cursor in a cell."""
        if introducer == "_" and text.startswith("G"):
            control, _, data = text[1:].partition(";")
            if self.has_kitty:
                self._interpret_kitty(dict(pair.split("=") for pair in control.split(",")), data, column, row)
        elif introducer == "P" and self.has_sixel:
            self.shown["sixel"] = Picture(column, row, _sixel_pixels(text))

    def _interpret_kitty(self, keys, data, column, row):
        action = keys.get("a", "t")
        if self._chunks is not None:
            assert keys.keys() <= {"m", "q"}, f"a chunk with keys: {keys}"
            self._chunks[1].append(data)
        elif action == "q":
            self._reply(f"\x1b_Gi={keys['i']};OK\x1b\\")
            return
        elif action == "d":
            assert keys["d"] == "I", keys
            self.shown.pop(keys["i"], None)
            return
        else:
            assert action == "T" and keys["q"] == "2" and keys["C"] == "1", keys
            self._chunks = (keys, [data])
        assert len(data) <= 4096 and (keys["m"] == "0" or len(data) % 4 == 0), f"a chunk of {len(data)} bytes"
        if keys["m"] == "1":
            return
        first, chunks = self._chunks
        self._chunks = None
        size, width, height = int(first["f"]) // 8, int(first["s"]), int(first["v"])
        samples = base64.b64decode("".join(chunks), validate=True)
        assert len(samples) == width * height * size, f"{len(samples)} bytes for {width} × {height}"
        pixels = [tuple(samples[offset:offset + size]) + (255,) * (4 - size) for offset in range(0, len(samples), size)]
        self.shown[first["i"]] = Picture(column, row, [pixels[start:start + width] for start in range(0, len(pixels), width)])


def _sixel_pixels(text):
    """Returns the pixels of a DCS string, by the VT340 programmer reference."""
    match = re.match(r'0?;1;0?q"1;1;(\d+);(\d+)', text)
    assert match, f"invalid start of the sixels: {text[:40]!r}"
    width, height = int(match[1]), int(match[2])
    pixels = [[(0, 0, 0, 0)] * width for _ in range(height)]
    palette, color, x, y = {}, None, 0, 0
    for token in re.finditer(r"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|(\$)|(-)|(.)", text[match.end():], re.S):
        number, red, green, blue, count, repeated, single, back, line, other = token.groups()
        assert other is None, f"{other!r} in sixels"
        if number is not None:
            assert int(number) < 256
            color = int(number)
            if red is not None:
                palette[color] = tuple(round(int(part) * 255 / 100) for part in (red, green, blue)) + (255,)
        elif back:
            x = 0
        elif line:
            x, y = 0, y + 6
        else:
            bits = ord(repeated or single) - 63
            for _ in range(int(count or 1)):
                for row in range(6):
                    if bits >> row & 1:
                        pixels[y + row][x] = palette[color]
                x += 1
    return pixels
