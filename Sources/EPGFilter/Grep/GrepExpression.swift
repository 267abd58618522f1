import XMLTV

/// Which programmes are wanted: those that pass all terms of one of the alternatives.
package struct GrepExpression {
    var alternatives: [[GrepTerm]] = []
    /// The patterns for names of channels that the terms ask for.
    var namePatterns: [GrepPattern] = []

    private var hasChannelTests: Bool {
        alternatives.contains { $0.contains { $0.test.isAboutChannel } }
    }

    /// Whether a channel is wanted: whether one of the alternatives allows it.
    ///
    /// - Parameter names: Which of ``namePatterns`` match its names.
    func keeps(channel id: String, names: Set<Int>) -> Bool {
        guard hasChannelTests else { return true }
        return alternatives.contains { terms in
            terms.allSatisfy { term in
                !term.test.isAboutChannel
                    || GrepExpression.isAbout(channel: id, names: names, term.test) != term.isNegated
            }
        }
    }

    /// Whether a programme is wanted.
    ///
    /// - Parameters:
    ///   - names: Which of ``namePatterns`` match the names of its channel.
    ///   - noStop: Told where a programme without a stop was taken to end when it starts.
    func keeps(_ programme: XMLTVElement, names: Set<Int>, noStop: () -> Void) -> Bool {
        alternatives.contains { terms in
            terms.allSatisfy { term in
                GrepExpression.passes(programme, names: names, term.test, noStop) != term.isNegated
            }
        }
    }

    private static func isAbout(channel id: String, names: Set<Int>, _ test: GrepTest) -> Bool {
        switch test {
        case .channelID(let wanted): id == wanted
        case .channelIDPattern(let pattern): pattern.isFound(in: id)
        case .channelName(let number): names.contains(number)
        default: true
        }
    }

    private static func passes(
        _ programme: XMLTVElement, names: Set<Int>, _ test: GrepTest, _ noStop: () -> Void
    ) -> Bool {
        switch test {
        case .anything(let pattern): return pattern.isFound(in: programme.searchableText)
        case .field(let field, let pattern): return field.matches(programme, pattern)
        case .channelID, .channelIDPattern, .channelName:
            return isAbout(channel: programme[attribute: "channel"] ?? "", names: names, test)
        case .onBefore(let time): return programme.time("start").map { time >= $0 } ?? false
        case .onAfter(let time):
            if let stop = programme.time("stop") { return time < stop }
            guard let start = programme.time("start") else { return false }
            if time >= start { noStop() }
            return time < start
        case .fieldCount(let comparison, let number):
            var names = Set(programme.attributes.map(\.name))
            for case .element(let part) in programme.children { names.insert(part.name) }
            return comparison.holds(names.count, number)
        }
    }
}

extension XMLTVElement {
    /// Seconds since 1970 of an attribute; `nil` where it isn't there or can't be read.
    fileprivate func time(_ attribute: String) -> Int64? {
        guard let text = self[attribute: attribute] else { return nil }
        do throws(XMLTVTimeError) {
            return try XMLTVTime(text).secondsSince1970
        } catch {
            // The filter has warned of it.
            return nil
        }
    }

    /// Names and values of all attributes and elements, each pair on a line.
    fileprivate var searchableText: String {
        var text = ""
        appendSearchableText(to: &text)
        return text
    }

    private func appendSearchableText(to text: inout String) {
        for attribute in attributes { text += "\(attribute.name) \(attribute.value)\n" }
        for child in children {
            switch child {
            case .text(let piece): text += piece + "\n"
            case .element(let part):
                text += part.name + " "
                part.appendSearchableText(to: &text)
            }
        }
    }
}
