package import EPGRender

/// The colors that a terminal supports.
package enum ColorDepth: Hashable, Sendable {
    /// No colors; bold, underlined and reversed text remains.
    case none
    /// Sixteen colors, which the user's theme defines.
    case sixteen
    /// The 256-color palette of xterm.
    case palette
    /// 24-bit color.
    case full

    /// Detects the color depth from environment variables.
    ///
    /// A nonempty `NO_COLOR` (https://no-color.org), and a `TERM` that is empty, `dumb`, or begins with `vt`, mean no
    /// color. Otherwise, a `COLORTERM` of `truecolor` or `24bit` and a `TERM` that contains `direct` mean 24-bit color.
    /// A `TERM` that contains `256color`, and known terminals, mean the palette. All others have sixteen colors.
    package init(environment: (String) -> String?) {
        let name = environment("TERM") ?? ""
        let announced = environment("COLORTERM") ?? ""
        if !(environment("NO_COLOR") ?? "").isEmpty || ["", "dumb"].contains(name) || name.hasPrefix("vt") {
            self = .none
        } else if ["truecolor", "24bit"].contains(announced) || name.contains("direct") {
            self = .full
        } else if name.contains("256color") || ColorDepth.paletteTerminals.contains(where: name.hasPrefix) {
            self = .palette
        } else {
            self = .sixteen
        }
    }

    private static let paletteTerminals = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]

    /// Converts a style to the colors of this depth.
    ///
    /// With sixteen colors, a foreground with low contrast to its background becomes black or white.
    package func adapted(_ style: TerminalStyle) -> TerminalStyle {
        guard style.foreground != nil || style.background != nil else { return style }
        var adapted = style
        switch self {
        case .full: break
        case .palette:
            adapted.foreground = style.foreground.map { .palette($0.nearest(in: .palette)) }
            adapted.background = style.background.map { .palette($0.nearest(in: .palette)) }
        case .sixteen:
            adapted.foreground = style.foreground.map { .palette($0.nearest(in: .sixteen)) }
            adapted.background = style.background.map { .palette($0.nearest(in: .sixteen)) }
            if let background = adapted.background, let foreground = adapted.foreground {
                let luminance = background.components.luminance
                if abs(foreground.components.luminance - luminance) < 100 {
                    adapted.foreground = .palette(luminance < 128 ? 15 : 0)
                }
            }
        case .none:
            adapted.foreground = nil
            adapted.background = nil
        }
        return adapted
    }
}

// MARK: - Nearest colors

/// Red, green and blue, 0 to 255.
private struct Components: Hashable {
    let red: Int
    let green: Int
    let blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The brightness of the color, 0 to 255 (ITU-R BT.601).
    var luminance: Int { (299 * red + 587 * green + 114 * blue) / 1000 }

    func distance(to other: Components) -> Int {
        let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
        return red * red + green * green + blue * blue
    }

    /// The levels of the cube of 6 × 6 × 6 colors.
    static let levels = [0, 95, 135, 175, 215, 255]

    /// The 256-color palette, with xterm's defaults for the first sixteen colors.
    static let palette: [Components] = {
        var palette = [
            (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
            (229, 229, 229),
            (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
            (255, 255, 255),
        ].map { Components($0.0, $0.1, $0.2) }
        for index in 0..<216 {
            palette.append(Components(levels[index / 36], levels[index / 6 % 6], levels[index % 6]))
        }
        for step in 0..<24 { palette.append(Components(8 + 10 * step, 8 + 10 * step, 8 + 10 * step)) }
        return palette
    }()
}

extension TerminalColor {
    fileprivate var components: Components {
        switch self {
        case .palette(let index): Components.palette[Int(index)]
        case .rgb(let red, let green, let blue): Components(Int(red), Int(green), Int(blue))
        }
    }

    /// The palette index of the nearest color. The user's theme defines the first sixteen palette colors, so a 24-bit
    /// color becomes one of the other 240.
    fileprivate func nearest(in depth: ColorDepth) -> UInt8 {
        if case .palette(let index) = self, depth == .palette || index < 16 { return index }
        let candidates = depth == .palette ? 16..<256 : 0..<16
        let wanted = components
        let nearest = candidates.min {
            Components.palette[$0].distance(to: wanted) < Components.palette[$1].distance(to: wanted)
        }
        return UInt8(nearest ?? 0)
    }
}
