import CollectionLayout

/// Where an element stands at each ``ViewWidth``, as custom properties of CSS that carry the engine's numbers.
///
/// `--x0` to `--x3` are the places at the widths, narrow to wide; likewise `--y`, `--w` and `--h`. All are points from the
/// leading upper corner of the element that holds this one.
struct ViewPlace: Hashable, Sendable {
    /// One for each width, in the order of ``ViewWidth``.
    let frames: [Rect]

    /// The frames of an element; a layout that doesn't place it gives an empty one.
    init(_ element: LayoutElement, in layouts: [some CollectionViewLayout]) {
        frames = layouts.map { $0.attributes(of: element)?.frame ?? .zero }
    }

    init(frames: [Rect]) {
        self.frames = frames
    }

    /// The same, from the upper leading corner of another place.
    func within(_ other: ViewPlace) -> ViewPlace {
        ViewPlace(frames: zip(frames, other.frames).map { $0.offset(x: -$1.minX, y: -$1.minY) })
    }

    /// `--x0:16;--y0:0;…`
    var origin: CustomNumbers { declarations([("x", \.minX), ("y", \.minY)]) }

    /// `--w0:160;--h0:84;…`, which the elements inside inherit.
    var size: CustomNumbers { declarations([("w", \.width), ("h", \.height)]) }

    /// All four.
    var style: CustomNumbers {
        declarations([("x", \.minX), ("y", \.minY), ("w", \.width), ("h", \.height)])
    }

    private func declarations(_ names: [(name: StaticString, length: KeyPath<Rect, Double>)]) -> CustomNumbers {
        var numbers = CustomNumbers()
        for (index, frame) in frames.enumerated() {
            for (name, length) in names { numbers.append(name, index: index, frame[keyPath: length]) }
        }
        return numbers
    }
}
