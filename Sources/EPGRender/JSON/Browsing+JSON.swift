package import EPGJSON
package import EPGModel

extension RankedMatch: JSONObject {
    /// The airing's members, `stationName`, `row` and `highlights`.
    package func writeMembers(to json: inout JSONWriter) {
        airing.writeMembers(to: &json)
        json.member("stationName", stationName)
        json.member("row", row)
        json.member("highlights", highlights.map { HighlightIn(highlight: $0, text: text(of: $0.field)) })
    }

    private func text(of field: Highlight.Field) -> String {
        switch field {
        case .title: airing.title
        case .subtitle: airing.subtitle ?? ""
        case .description: airing.description ?? ""
        }
    }
}

/// A highlight and the text that it stands in.
private struct HighlightIn: JSONObject {
    let highlight: Highlight
    let text: String

    /// `{"field", "ranges": [[first, end], …]}`, counted in UTF-16 code units as JavaScript, Java and C# do.
    func writeMembers(to json: inout JSONWriter) {
        json.member("field", highlight.field.rawValue)
        json.member(
            "ranges", highlight.ranges.map { [units(before: $0.lowerBound), units(before: $0.upperBound)] })
    }

    private func units(before byte: Int) -> Int {
        let bytes = text.utf8
        let index = bytes.index(bytes.startIndex, offsetBy: byte, limitedBy: bytes.endIndex) ?? bytes.endIndex
        return text.utf16.distance(from: text.startIndex, to: index)
    }
}

extension CategoryCount: JSONObject {
    /// `{"name", "count", "genre"}`; the genre is left out where the name tells none.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("count", count)
        json.member("genre", Genre(categories: [name])?.rawValue)
    }
}

extension ImportSummary: JSONObject {
    /// `{"at", "generation", "read", "stored", "dropped", "inserted", "changed", "removed"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("generation", generation.rawValue)
        json.member("read", read)
        json.member("stored", stored)
        json.member("dropped", dropped)
        json.member("inserted", inserted)
        json.member("changed", changed)
        json.member("removed", removed)
    }
}
