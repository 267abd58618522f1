import XMLTV

/// Picks the programmes and channels that an expression asks for, as `tv_grep` does.
///
/// The programmes are written as they come. Where some of a clump are dropped the others are numbered anew, so from the
/// first programme of a clump on all are kept in memory until the last of it has come, up to ``ClumpQueue/limit``.
package struct GrepFilter {
    private let expression: GrepExpression

    /// A filter that picks what an expression holds for.
    package init(_ expression: GrepExpression) {
        self.expression = expression
    }

    /// Reads the guides and writes what is wanted of them.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Told what is odd in them.
    ///   - send: Gets the bytes of the result, piece by piece; what it throws ends the work.
    package func run(
        _ sources: [FilterSource], warn: @escaping (FilterWarning) -> Void, send: @escaping ([UInt8]) throws -> Void
    ) throws {
        var guide = try GuideSequence(sources, warn)
        var output = GuideOutput(send)
        var queue = ClumpQueue()
        var names: [[UInt8]: Set<Int>] = [:]
        var unnamed: Set<[UInt8]> = []
        var hasWarned = false

        try output.begin(guide.attributes)
        for channel in guide.channels.sortedByIdentifier {
            let key = channel.identifier
            names[key] = matchingNames(of: channel)
            if isWanted(channel, names[key]) { try output.write(channel) }
        }
        while let record = try guide.next() {
            switch record {
            case .guide: break
            case .channel(let channel):
                names[channel.identifier] = matchingNames(of: channel)
                if unnamed.contains(channel.identifier) { warn(.lateChannel(channel[attribute: "id"] ?? "")) }
                if isWanted(channel, names[channel.identifier]) {
                    queue.append(channel: channel)
                    try queue.write(to: &output, warn)
                }
            case .programme(let programme):
                let key = Array((programme[attribute: "channel"] ?? "").utf8)
                if names[key] == nil, !expression.namePatterns.isEmpty { unnamed.insert(key) }
                let isKept = expression.keeps(programme, names: names[key] ?? []) {
                    if !hasWarned { warn(.noStop) }
                    hasWarned = true
                }
                queue.append(programme, isKept: isKept)
                try queue.write(to: &output, warn)
            }
        }
        queue.end()
        try queue.write(to: &output, warn)
        try output.end()
    }

    private func isWanted(_ channel: XMLTVElement, _ names: Set<Int>?) -> Bool {
        expression.keeps(channel: channel[attribute: "id"] ?? "", names: names ?? [])
    }

    /// Which of the patterns for names are found in a channel's names.
    private func matchingNames(of channel: XMLTVElement) -> Set<Int> {
        let texts = channel.children("display-name").map(\.text)
        return Set(
            expression.namePatterns.indices.filter { number in
                texts.contains { expression.namePatterns[number].isFound(in: $0) }
            })
    }
}

extension XMLTVElement {
    /// The bytes of a channel's identifier: equal strings may differ in them.
    fileprivate var identifier: [UInt8] { Array((self[attribute: "id"] ?? "").utf8) }
}
