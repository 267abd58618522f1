import EPGJSON
import EPGModel
import EPGRender

/// A question for some rows at an instant.
struct MomentQuery: Sendable {
    /// The rows that are asked for.
    private enum Rows: Sendable {
        case named(RowRanges)
        case page(PageRange)
    }

    private let now: Instant
    private let rows: Rows
    private let languages: [String]

    private static let greatestCount = 500

    /// Reads `at`, `lang`, and either `rows` or `offset` and `limit`.
    init(_ request: inout RequestReader) throws(Problem) {
        now = try request.minute()
        languages = try request.languages()
        let named = try request.rows()
        let page = try PageRange(&request, greatest: MomentQuery.greatestCount)
        rows = named.map(Rows.named) ?? .page(page)
    }

    /// Answers with an entry for each row.
    func answer(_ guide: GuideView, _ value: (NowAndNext) -> some JSONValue) throws -> Document {
        let total = try guide.guide.stationCount()
        let entries = try rows(of: total).ranges.flatMap { range in
            try guide.guide.nowAndNext(at: now, inRows: range).map { try told($0, by: guide.guide) }
        }
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("at", now)
                json.member("total", total)
                json.member("stations", entries.map(value))
            }
        }
    }

    /// - Throws: ``Problem`` where they are too many.
    private func rows(of total: Int) throws(Problem) -> RowRanges {
        switch rows {
        case .page(let page):
            return RowRanges(upTo: total).rows(at: page.offset..<page.offset + page.limit)
        case .named(let rows):
            let known = rows.clamped(toCount: total)
            guard known.count <= MomentQuery.greatestCount else {
                throw .badParameter(
                    "rows", "these are \(known.count) rows; ask for at most \(MomentQuery.greatestCount).")
            }
            return known
        }
    }

    private func told(_ entry: NowAndNext, by guide: any GuideReading) throws -> NowAndNext {
        guard !languages.isEmpty else { return entry }
        var entry = entry
        entry.now = try guide.airings(entry.now, in: languages)
        entry.next = try entry.next.flatMap { try guide.airings([$0], in: languages).first }
        return entry
    }
}
