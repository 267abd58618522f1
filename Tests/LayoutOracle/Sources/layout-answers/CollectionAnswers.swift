import CollectionLayout

/// What a layout answers at each offset, by the names that elements print themselves with: `item [0, 3]`.
///
/// At the first offset what is in sight, at the others everything; `content` is the content's own box.
///
/// - Parameter scroll: Called after each preparation, with the number of the offset.
func collectionAnswers<Layout: CollectionViewLayout>(
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
        var answer = ["content": [0, 0, layout.contentSize.width, layout.contentSize.height]]
        for attributes in layout.attributes(in: index == 0 ? bounds : everything) {
            let frame = attributes.frame
            let edges = [frame.minX, frame.minY, frame.maxX, frame.maxY]
            // A name that stands twice, or an element that says another thing when it is asked alone, passes nowhere.
            let isIntact =
                answer[attributes.element.description] == nil
                && layout.attributes(of: attributes.element)?.frame == frame
            answer[attributes.element.description] = isIntact ? edges : [-1e9, -1e9, -1e9, -1e9]
        }
        return answer
    }
}

extension EdgeInsets {
    /// Top, leading, bottom, trailing.
    init(_ edges: [Double]) {
        self.init(top: edges[0], leading: edges[1], bottom: edges[2], trailing: edges[3])
    }
}

/// A word of a case that the engine doesn't know.
struct UnknownWord: Error, CustomStringConvertible {
    let word: String
    var description: String { "a case says \(word), which means nothing here" }
}

func known<Value>(_ value: Value?, _ word: String) throws -> Value {
    guard let value else { throw UnknownWord(word: word) }
    return value
}
