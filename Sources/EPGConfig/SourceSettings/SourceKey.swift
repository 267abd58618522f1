/// What may stand under a source of `epg.yml`.
package enum SourceKey: String, CaseIterable, Sendable {
    case name, url, file, command, schedule, jitter, zone, shift, priority, stations, encoding, headers, token,
        environment
    case minimumShare = "minimum-share"
    case privateAddresses = "private-addresses"
    case schedulesDirect = "schedules-direct"
    case timeLimit = "time-limit"

    /// What may stand there, as a sentence goes on after “allowed: ”.
    package var allowed: String {
        switch self {
        case .name: "a text of at most 200 bytes that no other source has"
        case .url: "an address that begins with http:// or https://"
        case .file: "the path of a guide"
        case .command: "a program and its arguments: [tv_grab_xy, --days, 7], or a text without quotes, split at blanks"
        case .schedule: "a cron expression of five fields such as \"30 3 * * *\", or @hourly, @daily, @weekly, @monthly"
        case .jitter: "a duration of at most a day, such as 900, 90 s, 15 min or 2 h"
        case .zone: "an IANA zone such as Europe/London"
        case .shift: "seconds such as -3600, or hours and minutes with a sign such as +01:00, below ten years"
        case .priority: "a whole number from -1000000 to 1000000"
        case .stations: "a pattern, or a list of them, such as \"*.uk\"; every one on one line"
        case .encoding: "the name of an encoding such as windows-1251, or auto"
        case .headers: "names of fields, each with a text, with {file: PATH} or with {environment: NAME}"
        case .environment: "names of variables, each with a text, with {file: PATH} or with {environment: NAME}"
        case .token: "{file: PATH} or {environment: NAME}"
        case .minimumShare: "a percentage from 0 to 100, such as 50 %"
        case .privateAddresses: "true or false"
        case .timeLimit: "a duration from a second to a day, such as 900, 90 s, 15 min or 2 h"
        case .schedulesDirect:
            "{username: NAME, password: {file: PATH} or {environment: NAME}}, with lineups: [ID, …] where not all are wanted"
        }
    }

    /// Those that say where the guide is; a source has one of them, and ``schedulesDirect`` may have its ``url``.
    static let places: [SourceKey] = [.url, .file, .command, .schedulesDirect]
    /// Those that are about requests, and so go with ``url`` alone.
    static let ofRequests: [SourceKey] = [.headers, .token, .privateAddresses]
}
