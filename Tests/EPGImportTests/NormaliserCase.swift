import EPGImport
import EPGModel
import Testing

/// One row of a table: what comes in, the schedule, and the report.
struct NormaliserCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var listings: [String]
    var airings: [String]
    var repairs: [String]

    init(_ rule: String, _ listings: [String], gives airings: [String], repairs: [String] = []) {
        self.rule = rule
        self.listings = listings
        self.airings = airings
        self.repairs = repairs
    }

    var testDescription: String { rule }

    var result: NormalisedListings { Normaliser().normalise(NormaliserNotation.listings(listings)) }
}
