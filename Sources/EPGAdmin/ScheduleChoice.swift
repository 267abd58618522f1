import EPGCalendar
import EPGHTTP
import EPGModel
import HTTPTypes

/// A refresh schedule that administrators choose in words.
enum ScheduleChoice: String, CaseIterable, Sendable {
    case never
    case hourly
    case threeHours = "3h"
    case sixHours = "6h"
    case twiceADay = "twice"
    case nightly
    case weekly
    /// A cron expression that the user writes.
    case custom

    /// The schedule that setup suggests.
    static let suggested = ScheduleChoice.nightly

    /// The text in the list.
    var label: String {
        switch self {
        case .never: "Only when you ask for it"
        case .hourly: "Every hour"
        case .threeHours: "Every 3 hours"
        case .sixHours: "Every 6 hours"
        case .twiceADay: "Twice a day, at about 4:00 and 16:00"
        case .nightly: "Every night at about 4:00"
        case .weekly: "Every Monday at about 4:00"
        case .custom: "Custom (cron expression)"
        }
    }

    /// The fields of the cron expression after the minute; `nil` for choices without a fixed expression.
    private var hours: String? {
        switch self {
        case .never, .custom: nil
        case .hourly: "* * * *"
        case .threeHours: "*/3 * * *"
        case .sixHours: "*/6 * * *"
        case .twiceADay: "4,16 * * *"
        case .nightly: "4 * * *"
        case .weekly: "4 * * mon"
        }
    }

    /// Creates the choice that a cron expression matches, or ``never`` for `nil`.
    init(of expression: String?) {
        guard let expression else {
            self = .never
            return
        }
        let fields = expression.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        let isMinute = fields.first.flatMap { Int($0) }.map { (0..<60).contains($0) } ?? false
        self = Self.allCases.first { isMinute && fields.count == 2 && $0.hours == fields[1] } ?? .custom
    }

    /// Returns the cron expression of the choice; `nil` for no schedule.
    ///
    /// A new expression has a minute near the full hour by chance, so that not all services ask a server at the same time.
    ///
    /// - Parameters:
    ///   - former: The current expression, which does not change if it matches this choice.
    ///   - custom: The expression that the user wrote.
    func expression(former: String?, custom: String?) -> String? {
        if self == .custom { return custom }
        guard let hours else { return nil }
        return ScheduleChoice(of: former) == self ? former : "\(Int.random(in: 0...15)) \(hours)"
    }

    /// Returns the schedule in a form: of the choice in `schedule`, or else the expression in `refresh`.
    ///
    /// - Throws: ``Problem`` with status 422 for an unknown choice, or a custom schedule without an expression.
    static func expression(in form: Form, former: String?) throws(Problem) -> String? {
        let custom = try form.text("refresh", maximumLength: 1000)
        guard let text = form["schedule"] else { return custom }
        guard let choice = ScheduleChoice(rawValue: text) else {
            throw Problem(.unprocessableContent, "Choose a schedule of the list.", parameter: "schedule")
        }
        if choice == .custom, custom == nil {
            throw Problem(
                .unprocessableContent, "Enter a cron expression, or choose another schedule.", parameter: "refresh")
        }
        return choice.expression(former: former, custom: custom)
    }
}
