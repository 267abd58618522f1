import EPGCalendar
import EPGModel
import Testing

/// The runs that follow an instant, calculated by hand from the changes of the clocks that `zdump -v` prints.
struct RunCase: CustomTestStringConvertible, Sendable {
    let zone: String
    let expression: String
    let after: String
    let runs: [String]

    init(_ zone: String, _ expression: String, after: String, _ runs: [String]) {
        self.zone = zone
        self.expression = expression
        self.after = after
        self.runs = runs
    }

    var testDescription: String { "\(expression) \(zone) after \(after)" }

    /// The runs are those that the timetable names, one after the other.
    func check() throws {
        let timetable = try timetable(expression, zone)
        var instant = try instant(after)
        for run in runs {
            let next = try #require(timetable.next(after: instant))
            #expect(next.iso8601 == run)
            instant = next
        }
    }
}

func timetable(_ expression: String, _ name: String, jitter: Int64 = 0, seed: String = "") throws -> Timetable {
    Timetable(try CronExpression(expression), in: try zone(name), jitter: jitter, seed: seed)
}

/// An instant in ISO 8601 with `Z`.
func instant(_ text: String) throws -> Instant {
    try TimeExpression.parse(text, now: noon, zone: .utc)
}
