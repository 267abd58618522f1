/// The settings of a source in `epg.yml`.
package enum SourceKey: String, CaseIterable, Sendable {
    case name, url, file, command, schedule, jitter, zone, shift, priority, complete, stations, encoding, headers,
        token,
        environment
    case minimumShare = "minimum-share"
    case schedulesDirect = "schedules-direct"
    case xtream
    case followGuides = "follow-guides"
    case forGroup = "for-group"
    case timeLimit = "time-limit"

    /// The accepted values, to follow “allowed: ” in messages.
    package var allowed: String {
        switch self {
        case .name: "unique text of at most 200 bytes"
        case .url: "a URL that begins with http:// or https://"
        case .file: "the path of a guide or playlist"
        case .command: "a program and its arguments: [tv_grab_xy, --days, 7], or text without quotes, split at spaces"
        case .schedule: "a cron expression of five fields such as \"30 3 * * *\", or @hourly, @daily, @weekly, @monthly"
        case .jitter: "a duration of at most a day, such as 900, 90 s, 15 min or 2 h"
        case .zone: "an IANA zone such as Europe/London"
        case .shift: "seconds such as -3600, or hours and minutes with a sign such as +01:00, less than ten years"
        case .priority: "a whole number from -1000000 to 1000000"
        case .complete: "true or false"
        case .stations: "a pattern or a list of patterns, such as \"*.uk\", each on one line"
        case .encoding: "the name of an encoding such as windows-1251, or auto"
        case .headers: "header names, each with text, {file: PATH} or {environment: NAME}"
        case .environment: "variable names, each with text, {file: PATH} or {environment: NAME}"
        case .token: "{file: PATH} or {environment: NAME}"
        case .minimumShare: "a percentage from 0 to 100, such as 50%"
        case .timeLimit: "a duration from a second to a day, such as 900, 90 s, 15 min or 2 h"
        case .schedulesDirect:
            "{username: NAME, password: {file: PATH} or {environment: NAME}}, and optionally lineups: [ID, …]"
        case .xtream: "{username: NAME, password: {file: PATH} or {environment: NAME}}"
        case .followGuides: "true or false"
        case .forGroup: "a group or a list of groups, each on one line, with the wildcards * and ?"
        }
    }

    /// The keys that locate the guide. A source has one of them, except that ``schedulesDirect`` may also have ``url``.
    static let locationKeys: [SourceKey] = [.url, .file, .command, .schedulesDirect]
    /// The keys about requests, which require ``url``.
    static let requestKeys: [SourceKey] = [.headers, .token]
}
