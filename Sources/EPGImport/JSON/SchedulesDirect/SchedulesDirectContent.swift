import EPGModel

/// What a program, or its airing, says: the content, and apart from it what an airing needs of both.
struct SchedulesDirectContent {
    /// All nodes but the marks.
    let nodes: [ContentNode]
    /// The texts of the marks, by their names (``SchedulesDirectProgram/Mark``); of two of one name the last.
    let marks: [String: String]
    /// Whether a rating is among the nodes.
    let isRated: Bool

    /// - Parameter all: The nodes, marks among them.
    init(_ all: [ContentNode]) {
        var nodes: [ContentNode] = []
        var marks: [String: String] = [:]
        for node in all {
            if case .element(let element) = node, element.name.utf8.first == UInt8(ascii: "@") {
                marks[element.name] = element.text
            } else {
                nodes.append(node)
            }
        }
        (self.nodes, self.marks) = (nodes, marks)
        isRated = nodes.contains(where: \.isRating)
    }
}

extension ContentNode {
    /// Whether it is `<rating>`.
    var isRating: Bool {
        if case .element(let element) = self { element.name == "rating" } else { false }
    }
}
