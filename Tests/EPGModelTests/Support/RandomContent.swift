import EPGModel

/// Random trees of content: names with a code and without one, attributes, texts in several scripts.
struct RandomContent {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// At most `limit` nodes side by side, `depth` levels of them.
    mutating func nodes(limit: Int, depth: Int) -> [ContentNode] {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            depth > 0 && Bool.random(using: &generator) ? element(depth: depth) : .text(text())
        }
    }

    private mutating func element(depth: Int) -> ContentNode {
        let names = ["title", "desc", "actor", "audio-described", "x-mood", "série", "@lang", ""]
        let attributeNames = ["lang", "catchup-id", "x-level", "システム", ""]
        let name = names[Int.random(in: 0..<names.count, using: &generator)]
        let attributes = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            ContentAttribute(
                name: attributeNames[Int.random(in: 0..<attributeNames.count, using: &generator)], value: text())
        }
        return .element(
            ContentElement(name: name, attributes: attributes, children: nodes(limit: 4, depth: depth - 1)))
    }

    private mutating func text() -> String {
        let pieces = ["", "News", "晚间新闻", "نشرة", "é", "🎬", "\u{0}", String(repeating: "long ", count: 40)]
        return pieces[Int.random(in: 0..<pieces.count, using: &generator)]
    }
}
