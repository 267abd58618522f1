import EPGCalendar
import XMLTV

/// Tells whether names mean something; each gives what is wrong, or `nil`.
package struct ConfigurationChecks: Sendable {
    /// Of time zones.
    package var zone: @Sendable (String) -> String?
    /// Of encodings.
    package var encoding: @Sendable (String) -> String?
    /// Of cron expressions.
    package var schedule: @Sendable (String) -> String?

    /// - Parameter schedule: What is wrong with a cron expression. The default looks at its shape alone: five fields, or one
    ///   of cron's names that begin with `@`.
    package init(schedule: @escaping @Sendable (String) -> String? = ScheduleShape.fault(of:)) {
        zone = { name in
            do throws(ZoneError) {
                _ = try Zone(named: name)
                return nil
            } catch {
                return "\(error)"
            }
        }
        encoding = { name in
            EncodingNames.canonical(name) == nil
                ? "there is no encoding “\(name.prefix(64))”; known are \(EncodingNames.usual)" : nil
        }
        self.schedule = schedule
    }
}
