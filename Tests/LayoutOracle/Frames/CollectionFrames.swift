import CollectionLayout

/// Returns the edges of a layout's elements at each offset, keyed by the elements' descriptions, such as `item [0, 3]`.
///
/// At the first offset only visible elements, at the others all; `content` is the content's own box.
///
/// - Parameter scroll: Called after each preparation, with the index of the offset.
func collectionFrames<Layout: CollectionViewLayout>(
    of layout: Layout, view: [Double], offsets: [[Double]], counts: ItemCounts, contentInset: EdgeInsets = .zero,
    isRightToLeft: Bool, scale: Double, scroll: (Int, inout Layout) -> Void = { _, _ in }
) -> [[String: [Double]]] {
    var layout = layout
    return offsets.enumerated().map { index, offset in
        let bounds = Rect(x: offset[0], y: offset[1], width: view[0], height: view[1])
        layout.prepare(
            in: LayoutContainer(
                bounds: bounds, counts: counts, contentInset: contentInset,
                layoutDirection: isRightToLeft ? .rightToLeft : .leftToRight, scale: scale))
        scroll(index, &layout)
        let everything = Rect(minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6)
        var frames = ["content": [0, 0, layout.contentSize.width, layout.contentSize.height]]
        for attributes in layout.attributes(in: index == 0 ? bounds : everything) {
            let frame = attributes.frame
            let edges = [frame.minX, frame.minY, frame.maxX, frame.maxY]
            // A duplicate name, or an element whose individual query returns another frame, gets a frame that fails.
            let isIntact =
                frames[attributes.element.description] == nil
                && layout.attributes(of: attributes.element)?.frame == frame
            frames[attributes.element.description] = isIntact ? edges : [-1e9, -1e9, -1e9, -1e9]
        }
        return frames
    }
}

extension EdgeInsets {
    /// Top, leading, bottom, trailing.
    init(_ edges: [Double]) {
        self.init(top: edges[0], leading: edges[1], bottom: edges[2], trailing: edges[3])
    }
}

/// A value of a case that the engine doesn't know.
struct UnknownValue: Error, CustomStringConvertible {
    let name: String
    var description: String { "a case contains the unknown value \(name)" }
}

func known<Value>(_ value: Value?, _ name: String) throws -> Value {
    guard let value else { throw UnknownValue(name: name) }
    return value
}
