#!/usr/bin/env python3
"""Creates the pictures in this folder, and the expected results of decoding them.

Requires Pillow (PyPI) and Debian's imagemagick, netpbm and libjpeg-turbo-progs. ImageMagick and Pillow encode the PNG files, and
ImageMagick or netpbm decode them. cjpeg and Pillow encode the JPEG files. djpeg decodes them without chroma smoothing, and Pillow
decodes CMYK.
"""

import subprocess
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).resolve().parent
WIDTH, HEIGHT = 37, 29


def pixel(x, y):
    """The color of a pixel: gradients, an edge, and all opacities."""
    if 8 <= x < 16 and 6 <= y < 20:
        return (220, 30, 60, 255)
    return (x * 255 // (WIDTH - 1), y * 255 // (HEIGHT - 1), (x * y * 7) % 256, (x * 13 + y * 5) % 256)


def run(*arguments, **options):
    subprocess.run([str(argument) for argument in arguments], check=True, **options)


def convert(*arguments):
    run("/usr/bin/convert", *arguments)


def pngs(source, opaque):
    kinds = {
        "gray1": [opaque, "-colorspace", "Gray", "-depth", "1", "-define", "png:color-type=0", "-define", "png:bit-depth=1"],
        "gray2": [opaque, "-colorspace", "Gray", "-depth", "2", "-define", "png:color-type=0", "-define", "png:bit-depth=2"],
        "gray4": [opaque, "-colorspace", "Gray", "-depth", "4", "-define", "png:color-type=0", "-define", "png:bit-depth=4"],
        "gray8": [opaque, "-colorspace", "Gray", "-define", "png:color-type=0", "-define", "png:bit-depth=8"],
        "gray16": [opaque, "-colorspace", "Gray", "-blur", "2", "-define", "png:color-type=0", "-define", "png:bit-depth=16"],
        "gray-alpha8": [source, "-colorspace", "Gray", "-define", "png:color-type=4", "-define", "png:bit-depth=8"],
        "gray-alpha16": [source, "-colorspace", "Gray", "-blur", "2", "-define", "png:color-type=4", "-define", "png:bit-depth=16"],
        "rgb8": [opaque, "-define", "png:color-type=2", "-define", "png:bit-depth=8"],
        "rgb16": [opaque, "-blur", "2", "-define", "png:color-type=2", "-define", "png:bit-depth=16"],
        "rgb-alpha8": [source, "-define", "png:color-type=6", "-define", "png:bit-depth=8"],
        "rgb-alpha16": [source, "-blur", "2", "-define", "png:color-type=6", "-define", "png:bit-depth=16"],
    }
    for name, arguments in kinds.items():
        for suffix, interlace in [("", "None"), ("-adam7", "PNG")]:
            convert(*arguments, "-interlace", interlace, "-strip", FOLDER / f"{name}{suffix}.png")
    image = Image.open(opaque).convert("RGB")
    for bits, colors in [(1, 2), (2, 4), (4, 16), (8, 200)]:
        image.quantize(colors).save(FOLDER / f"palette{bits}.png", bits=bits)
    image.quantize(4).save(FOLDER / "palette2-alpha.png", bits=2, transparency=bytes([0, 90, 255]))
    # A transparent color (tRNS).
    image.save(FOLDER / "rgb8-key.png", transparency=(220, 30, 60))
    image.convert("L").save(FOLDER / "gray8-key.png", transparency=image.convert("L").getpixel((10, 10)))
    for path in sorted(FOLDER.glob("*.png")):
        if path.name.startswith("rgb-alpha16"):
            # ImageMagick truncates these samples to 8 bits, but rounds others.
            with open(path.with_suffix(".pam"), "wb") as file:
                samples = subprocess.run(["pngtopam", "-alphapam", path], check=True, capture_output=True).stdout
                run("pamdepth", "255", input=samples, stdout=file)
            continue
        convert(path, "-colorspace", "sRGB", "-alpha", "set", "-depth", "8", "-define", "pam:tupl=RGB_ALPHA", path.with_suffix(".pam"))


def jpegs(opaque):
    ppm = FOLDER / "source.ppm"
    Image.open(opaque).convert("RGB").save(ppm)
    kinds = {
        "baseline-444": ["-sample", "1x1"],
        "baseline-420": ["-sample", "2x2"],
        "baseline-422": ["-sample", "2x1"],
        "baseline-440": ["-sample", "1x2"],
        "baseline-411": ["-sample", "4x1"],
        "gray": ["-grayscale"],
        "rgb": ["-rgb"],
        "optimized-16-bit-tables": ["-optimize", "-quality", "3"],
        "restarts": ["-sample", "2x2", "-restart", "1B"],
        "progressive-444": ["-progressive", "-sample", "1x1"],
        "progressive-420": ["-progressive", "-sample", "2x2"],
        "progressive-gray": ["-progressive", "-grayscale"],
        "progressive-restarts": ["-progressive", "-restart", "3B"],
    }
    for name, arguments in kinds.items():
        path = FOLDER / f"{name}.jpg"
        quality = [] if "-quality" in arguments else ["-quality", "85"]
        run("cjpeg", *quality, *arguments, "-outfile", path, ppm)
    # One scan per component, without interleaving.
    scans = FOLDER / "scans.txt"
    scans.write_text("0;\n1;\n2;\n")
    run("cjpeg", "-sample", "2x2", "-scans", scans, "-outfile", FOLDER / "baseline-scans.jpg", ppm)
    for path in sorted(FOLDER.glob("*.jpg")):
        run("djpeg", "-dct", "int", "-nosmooth", "-pnm", "-outfile", path.with_suffix(".pnm"), path)
    Image.open(opaque).convert("CMYK").save(FOLDER / "cmyk.jpg", quality=90)
    Image.open(FOLDER / "cmyk.jpg").convert("RGB").save(FOLDER / "cmyk.pnm", format="PPM")
    scans.unlink()
    ppm.unlink()


def main():
    for path in FOLDER.glob("*.*"):
        if path.suffix != ".py":
            path.unlink()
    image = Image.new("RGBA", (WIDTH, HEIGHT))
    image.putdata([pixel(x, y) for y in range(HEIGHT) for x in range(WIDTH)])
    source, opaque = FOLDER / "source.png", FOLDER / "opaque.png"
    image.save(source)
    image.convert("RGB").save(opaque)
    jpegs(opaque)
    pngs(source, opaque)
    for name in ["source", "opaque"]:
        for suffix in [".png", ".pam"]:
            (FOLDER / f"{name}{suffix}").unlink()


if __name__ == "__main__":
    main()
