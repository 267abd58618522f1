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
    /// Of the keys of `epg browse`; of nothing by default.
    package var keys: @Sendable ([String]) -> String? = { _ in nil }

    package init() {
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
        schedule = { text in
            do throws(CronError) {
                let expression = try CronExpression(text)
                return expression.meansSomeDay ? nil : "“\(text.prefix(80))” means no day of any year"
            } catch {
                return "\(error)"
            }
        }
    }
}
