import CollectionLayout

/// A dimension, such as `["width", 0.5]` or `["points", 44]`.
struct DimensionCase: Decodable {
    let kind: String
    let value: Double

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        kind = try values.decode(String.self)
        value = try values.decode(Double.self)
    }

    func dimension() throws -> LayoutDimension {
        switch kind {
        case "width": .fractionalWidth(value)
        case "height": .fractionalHeight(value)
        case "points": .absolute(value)
        default: throw UnknownValue(name: kind)
        }
    }
}

extension LayoutSize {
    init(_ dimensions: [DimensionCase]) throws {
        self.init(
            widthDimension: try dimensions[0].dimension(), heightDimension: try dimensions[1].dimension())
    }
}

/// A spacing, such as `["fixed", 8]` or `["flexible", 0]`.
struct SpacingCase: Decodable {
    let spacing: LayoutSpacing

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        let kind = try values.decode(String.self)
        let points = try values.decode(Double.self)
        spacing = kind == "flexible" ? .flexible(points) : .fixed(points)
    }
}

/// The repetition of a line's subitems, such as `["equal", 3]`.
struct RepetitionCase: Decodable {
    let kind: String
    let count: Int

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        kind = try values.decode(String.self)
        count = try values.decode(Int.self)
    }
}

/// An anchor at a container's edges with an offset, such as `{"edges": ["top"], "offset": ["fractional", 0.3, -0.3]}`.
struct AnchorCase: Decodable {
    struct Offset: Decodable {
        let kind: String
        let point: Point

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            kind = try values.decode(String.self)
            let x = try values.decode(Double.self)
            point = Point(x: x, y: try values.decode(Double.self))
        }
    }

    let edges: [String]
    let offset: Offset

    func anchor() throws -> LayoutAnchor {
        let names: [String: RectEdges] = [
            "top": .top, "leading": .leading, "bottom": .bottom, "trailing": .trailing,
        ]
        let edges = RectEdges(try edges.map { try known(names[$0], $0) })
        return offset.kind == "fractional"
            ? LayoutAnchor(edges: edges, fractionalOffset: offset.point)
            : LayoutAnchor(edges: edges, absoluteOffset: offset.point)
    }
}
