package import EPGModel

/// Random content trees: names inside and outside the DTD, attributes, texts in several scripts.
package struct RandomContent {
    private var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns at most `limit` adjacent nodes, with `depth` levels.
    package mutating func nodes(limit: Int, depth: Int) -> [ContentNode] {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            depth > 0 && Bool.random(using: &generator) ? element(depth: depth) : .text(text())
        }
    }

    private mutating func element(depth: Int) -> ContentNode {
        let names = ["title", "desc", "actor", "audio-described", "x-mood", "série", "@lang", "text", "<b"]
        let attributeNames = ["lang", "catchup-id", "x-level", "システム", ""]
        let name = names[Int.random(in: 0..<names.count, using: &generator)]
        let chosen = attributeNames.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
        let attributes = chosen.map { ContentAttribute(name: $0, value: text()) }
        return .element(
            ContentElement(name: name, attributes: attributes, children: nodes(limit: 4, depth: depth - 1)))
    }

    private mutating func text() -> String {
        let pieces = ["", "News", "晚间新闻", "نشرة", "é", "🎬", "\u{0}", String(repeating: "long ", count: 40)]
        return pieces[Int.random(in: 0..<pieces.count, using: &generator)]
    }
}
