/// An origin of listings with its import options.
public struct Source: Hashable, Sendable {
    /// The name, unique in a store.
    public var name: String
    /// A URL or a file; `nil` for a source that is imported manually.
    public var location: String?
    /// The IANA zone for times without a zone; `nil` for UTC, as in the DTD.
    public var timeZone: String?
    /// Seconds to add to every time.
    public var shift: Int64
    /// Seconds between two refreshes; `nil` for every run.
    public var interval: Int64?
    /// The precedence among sources with the same station; 0 by default.
    ///
    /// Sources are ranked per station: by priority, then by how far into the future they cover it, then by age; only the best
    /// eight count. A source covers a station from the start of its first airing to the stop of its last. All airings of the
    /// best source are shown. Airings of other sources are shown outside the coverage of better ones, cut at its edges (of two
    /// pieces the earlier one). Inside the coverage, they are shown only if they fit entirely in a gap between shown airings.
    public var priority: Int
    /// Patterns (`*`, `?`) of the stations to import; empty for all. A pattern cannot contain a line feed.
    public var stations: [String]
    /// The encoding of the guide, which overrides its declaration; `nil` to detect it.
    public var encoding: String?
    /// Whether the settings (`epg.yml`) define the source, which is then refreshed only while they contain it.
    public var isConfigured: Bool
    /// The account of the source; `nil` for a source without one.
    public var account: SourceAccount?
    /// Whether refreshes add the guides that the playlist names (`x-tvg-url`) as sources, and follow their URLs. An Xtream account
    /// always has its guide.
    public var followsGuides: Bool
    /// The name of the source whose playlist names this guide; `nil` for a source that the user added.
    public var playlist: String?
    /// Patterns (`*`, `?`) of the groups whose channels may show the stations of this source; empty for all channels. A pattern
    /// cannot contain a line feed.
    public var groups: [String]
    /// Whether other sources complete its listings, and it completes theirs (Rules.md, rule 22); `true` by default.
    public var completes: Bool

    /// Creates a source. Its options are not validated.
    ///
    /// - Parameters:
    ///   - name: The name, unique in a store.
    ///   - location: A URL or a file; `nil` (the default) for a source that is imported manually.
    ///   - timeZone: The IANA zone for times without a zone; `nil` (the default) for UTC.
    ///   - shift: Seconds to add to every time, possibly negative; 0 by default.
    ///   - interval: Seconds between two refreshes; `nil` (the default) for every run.
    ///   - priority: The precedence among sources with the same station; 0 by default. Larger numbers take precedence.
    ///   - stations: Patterns of the stations to import; empty (the default) for all.
    ///   - encoding: The encoding of the guide; `nil` (the default) to detect it.
    ///   - isConfigured: Whether the settings define the source; `false` by default.
    ///   - account: The account of the source; `nil` (the default) for a source without one.
    ///   - followsGuides: Whether refreshes follow the guides that the playlist names; `false` by default.
    ///   - playlist: The name of the source whose playlist names this guide; `nil` (the default) for none.
    ///   - groups: Patterns of the groups whose channels may show the stations; empty (the default) for all channels.
    ///   - completes: Whether other sources complete its listings, and it completes theirs; `true` by default.
    public init(
        name: String, location: String? = nil, timeZone: String? = nil, shift: Int64 = 0, interval: Int64? = nil,
        priority: Int = 0, stations: [String] = [], encoding: String? = nil, isConfigured: Bool = false,
        account: SourceAccount? = nil, followsGuides: Bool = false, playlist: String? = nil, groups: [String] = [],
        completes: Bool = true
    ) {
        self.name = name
        self.location = location
        self.timeZone = timeZone
        self.shift = shift
        self.interval = interval
        self.priority = priority
        self.stations = stations
        self.encoding = encoding
        self.isConfigured = isConfigured
        self.account = account
        self.followsGuides = followsGuides
        self.playlist = playlist
        self.groups = groups
        self.completes = completes
    }
}

/// The account of a source, without its password. The location of the source is the URL of the server.
public struct SourceAccount: Hashable, Sendable {
    /// What the account gives access to.
    public enum Service: String, Hashable, Sendable, CaseIterable {
        /// The guide of Schedules Direct.
        case schedulesDirect = "schedules-direct"
        /// The playlist of a server with the Xtream Codes API (`get.php`).
        case xtreamPlaylist = "xtream"
        /// The guide of such a server (`xmltv.php`).
        case xtreamGuide = "xtream-guide"
    }

    /// The service.
    public var service: Service
    /// The user name: an e-mail address for most accounts at Schedules Direct.
    public var username: String
    /// Identifiers such as `USA-OTA-60030` of Schedules Direct; empty for all lineups of the account. They contain no line feed.
    public var lineups: [String]

    /// Creates an account, by default at Schedules Direct.
    public init(_ service: Service = .schedulesDirect, username: String, lineups: [String] = []) {
        self.service = service
        self.username = username
        self.lineups = lineups
    }
}

/// The state of a source between two refreshes.
public struct SourceState: Hashable, Sendable {
    /// The time of the last refresh, successful or not; `nil` before the first one.
    public var lastAttempt: Instant?
    /// The last time at which the guide was up to date with the source.
    public var lastSuccess: Instant?
    /// The `ETag` of the last imported body.
    public var entityTag: String?
    /// The `Last-Modified` of the last imported body.
    public var lastModified: String?
    /// A hash of the last imported body and its import options.
    public var bodyHash: String?
    /// The error of the last attempt; `nil` if it succeeded.
    public var lastError: String?
    /// The result of the last refresh; `nil` if there was none.
    public var lastResult: RefreshResult?
    /// The duration of the last refresh, from the request to the stored guide; a store may keep whole milliseconds.
    public var lastDuration: Duration?
    /// The number of all failed refreshes.
    public var failures = 0
    /// The earliest time for a retry after a failure; `nil` for the next regular time.
    public var notBefore: Instant?

    /// Whether an import has begun but not ended: it is running, or its process died. It counts as one of ``failures``, and has
    /// no duration.
    public var hasUnfinishedImport: Bool { lastResult == .failed && lastDuration == nil }

    /// Creates the state of a source that was never refreshed.
    public init() {}

    /// Creates the state after the import of a guide that was not fetched from the source's location.
    ///
    /// A source with a location keeps its state but forgets the last download, so that the next refresh fetches the guide
    /// again.
    package init(importedAt now: Instant, into known: SourceRecord?) {
        if let known, known.source.location != nil {
            self = known.state
            entityTag = nil
            lastModified = nil
            bodyHash = nil
        } else {
            lastAttempt = now
            lastSuccess = now
        }
    }

    /// Records that the guide is up to date with the source.
    package mutating func recordSuccess(at now: Instant, after duration: Duration? = nil) {
        lastAttempt = now
        lastSuccess = now
        lastError = nil
        notBefore = nil
        lastDuration = duration
    }
}

/// What a source contains.
public enum SourceKind: Hashable, Sendable {
    case guide, playlist
}

/// A source and its state.
public struct SourceRecord: Hashable, Sendable {
    public var source: Source
    public var state: SourceState
    /// What the source contained at its last import; `nil` before the first one.
    public var kind: SourceKind?

    /// Creates a record of a source and its state.
    public init(source: Source, state: SourceState, kind: SourceKind? = nil) {
        self.source = source
        self.state = state
        self.kind = kind
    }
}

/// A source with a summary of its contents in the store.
public struct SourceSummary: Hashable, Sendable {
    public var source: Source
    public var state: SourceState
    /// The number of stations that the source covers.
    public var stations = 0
    /// The number of airings, shown or not.
    public var airings = 0
    /// The number of channels of the lineup, and of those with a station; `nil` for a guide.
    public var channels: (all: Int, matched: Int)? {
        get { channelCount.map { ($0, matchedCount) } }
        set { (channelCount, matchedCount) = (newValue?.all, newValue?.matched ?? 0) }
    }
    private var channelCount: Int?
    private var matchedCount = 0
    /// The end of the last airing; `nil` if there is none.
    public var end: Instant?
    /// The attributes of `<tv>` of the last guide.
    public var header: [ContentAttribute] = []
    /// The last import; `nil` before the first one.
    public var lastImport: ImportSummary?

    /// Creates a summary of a source without contents and imports.
    ///
    /// - Parameter state: The state; by default, the state of a source that was never refreshed.
    public init(source: Source, state: SourceState = SourceState()) {
        self.source = source
        self.state = state
    }
}

/// The result of a refresh of a source.
public enum RefreshResult: String, Hashable, Sendable, CaseIterable {
    /// A new guide was fetched and stored.
    case imported
    /// The body was identical to the last one.
    case unchanged
    /// The server reported that nothing changed.
    case notModified = "not-modified"
    /// Nothing was stored because of an error.
    case failed
}

/// The counts of an import.
public struct ImportSummary: Hashable, Sendable {
    /// The number of the import in the log; 0 if it is not known.
    public var id: Int64 = 0
    /// The time of the import.
    public var at: Instant
    /// The generation after the import.
    public var generation: Generation
    /// The number of programmes in the file.
    public var read = 0
    /// The number of airings in the schedules of this import.
    public var stored = 0
    /// The number of listings that are not in the schedules.
    public var dropped = 0
    /// The number of new airings.
    public var inserted = 0
    /// The number of airings whose content or time changed.
    public var changed = 0
    /// The number of airings that the source no longer lists.
    public var removed = 0
    /// The number of airings, of any source, that the import completed with fields of other sources.
    public var completed = 0

    /// Creates the summary of an import, with 0 for all counts.
    ///
    /// - Parameters:
    ///   - at: The time of the import.
    ///   - generation: The generation after the import.
    public init(at: Instant, generation: Generation) {
        self.at = at
        self.generation = generation
    }
}

/// A source in the settings (`epg.yml`).
package struct SourceConfiguration: Hashable, Sendable {
    /// The part that the store also contains; the location of a command is `nil`.
    package var source: Source
    /// A program and its arguments, whose output is the guide; empty for a source with a location.
    package var command: [String] = []
    /// Additional environment variables of this program.
    package var environment: [SecretField] = []
    /// The account at Schedules Direct; `nil` for any other source. The location is then the URL of the API.
    package var schedulesDirect: SchedulesDirectSettings?
    /// The password of an Xtream account; `nil` for any other source. The location is then the URL of the server, and
    /// ``Source/account`` has the user name.
    package var xtreamPassword: Secret?
    /// A cron expression of five fields for refreshes; `nil` for every run.
    package var schedule: String?
    /// Maximum random delay of a scheduled run in seconds, from 0 to a day, to distribute the load of servers.
    package var jitter: Int64 = 0
    /// Headers of each request.
    package var headers: [SecretField] = []
    /// Sent as `Authorization: Bearer …`.
    package var token: Secret?
    /// ``ImportSafeguard/minimumShare``
    package var minimumShare = ImportSafeguard.standardShare
    /// Maximum duration of a fetch or of the program in seconds, from 1 to a day; `nil` for an hour.
    package var timeLimit: Int?

    /// Creates the settings of a source. The password of its account is in the file beside the guide.
    package init(_ source: Source) {
        self.source = source
        guard let account = source.account else { return }
        let password = Secret.account(username: account.username, url: source.location ?? "")
        switch account.service {
        case .schedulesDirect:
            schedulesDirect = SchedulesDirectSettings(
                username: account.username, password: password, lineups: account.lineups)
        case .xtreamPlaylist, .xtreamGuide: xtreamPassword = password
        }
    }
}

/// A lineup of an account at Schedules Direct.
package struct SchedulesDirectOffer: Hashable, Sendable {
    /// Such as `USA-OTA-60030`.
    package var id: String
    package var name: String?
    /// Such as `Cable`.
    package var transport: String?
    /// Such as a postal code.
    package var location: String?

    package init(id: String, name: String?, transport: String?, location: String?) {
        self.id = id
        self.name = name
        self.transport = transport
        self.location = location
    }
}

/// The account of a source at Schedules Direct.
package struct SchedulesDirectSettings: Hashable, Sendable {
    /// The URL of the API.
    package static let defaultURL = "https://json.schedulesdirect.org/20141201"

    /// Returns whether a server may receive the password: the SHA-1 of the password is sent, and is sufficient to log in.
    package static func isProtected(_ url: String) -> Bool {
        guard url.lowercased().hasPrefix("http:") else { return true }
        let host = url.dropFirst("http://".count).prefix { !"/?#:".contains($0) }.lowercased()
        return host == "localhost" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// The name of the account.
    package var username: String
    package var password: Secret
    /// Identifiers such as `USA-OTA-60030`; empty for all lineups of the account.
    package var lineups: [String]

    package init(username: String, password: Secret, lineups: [String] = []) {
        self.username = username
        self.password = password
        self.lineups = lineups
    }
}

/// A secret text or a reference to one. The text is never logged or printed.
package enum Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The text itself.
    case text(String)
    /// The first line of a file, without blanks around it.
    case file(path: String)
    /// An environment variable.
    case environment(String)
    /// The password of an account on a server, in the file of passwords beside the guide. It is for no other server.
    case account(username: String, url: String)

    /// The origin of the text, never the text itself.
    package var description: String {
        switch self {
        case .text: "(hidden)"
        case .file(let path): "(the first line of \(path))"
        case .environment(let name): "(the variable \(name))"
        case .account: "(stored beside the guide)"
        }
    }

    /// A mirror without the text, which `dump` and failing tests would print.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// A header of a request (RFC 9110, 5) or an environment variable, whose value may be a secret.
package struct SecretField: Hashable, Sendable {
    package var name: String
    package var value: Secret

    package init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}
