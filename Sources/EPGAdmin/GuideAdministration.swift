package import EPGHTTP
package import EPGImport
package import EPGModel

/// Operations of administration that fetch, refresh, or change settings.
///
/// Methods block the thread.
package protocol GuideAdministration: Sendable {
    /// Downloads a guide or playlist.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL; with an account, of its server.
    ///   - account: The Xtream account whose playlist to download; `nil` to download the URL.
    ///   - progress: Receives the number of bytes received, and of all bytes if it is known.
    /// - Throws: ``ImportRefusal``, ``PrivateHostRefusal`` and ``UnreachableServer``.
    func download(
        _ url: String, of account: AccountLogIn?, progress: @escaping @Sendable (Int64, Int64?) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws -> (SpoolFile, GuideDownload)

    /// Reads a guide or playlist without importing it.
    ///
    /// - Parameter zone: The zone of times without one; `nil`, and an unknown zone, for UTC.
    /// - Throws: ``ImportRefusal``.
    func preview(_ file: SpoolFile, zone: String?, isCancelled: @escaping @Sendable () -> Bool) throws -> GuidePreview

    /// Returns the lineups of an account at Schedules Direct.
    ///
    /// - Throws: ``ImportRefusal`` and ``PrivateHostRefusal``.
    func lineups(
        of account: AccountLogIn, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> [SchedulesDirectOffer]

    /// Checks that a URL of an administrator does not name this machine or its network, unless the settings allow its host
    /// (`private-hosts`). Downloads check the addresses of other host names.
    ///
    /// - Throws: ``SettingRefusal``.
    func checkLocation(_ url: String) throws

    /// Returns a location without its user name, password and query.
    func displayable(_ location: String) -> String

    /// Returns a message without the user names, passwords and queries of the URLs in it.
    func redacted(_ message: String) -> String

    /// Starts a refresh as soon as no other one is running.
    ///
    /// - Parameters:
    ///   - names: The sources to refresh, due or not; `nil` for all that are due.
    ///   - isForced: Whether to accept guides that the safeguard would reject.
    func requestRefresh(of names: Set<String>?, isForced: Bool)

    /// Interrupts the running refresh, and discards requested ones.
    func cancelRefresh()

    /// The state of the refreshes.
    var refreshState: RefreshState { get }

    /// Returns the settings that administrators can change.
    ///
    /// - Throws: ``SettingRefusal``.
    func settings() throws -> AdministeredSettings

    /// Returns the reasons why values are invalid, by key; empty if they can be stored.
    func problems(ofSettings values: [String: String?]) -> [String: String]

    /// Checks and stores settings.
    ///
    /// - Parameter values: The new values by key, with commas between the values of a list; `nil` for the default value.
    /// - Throws: ``SettingRefusal``; nothing is changed then. Errors of the store.
    func changeSettings(_ values: [String: String?], in store: any GuideWriting) throws

    /// Makes changed settings take effect.
    ///
    /// - Throws: ``SettingRefusal``.
    func useSettings() throws

    /// Removes what is kept of a removed source beside the guide: the files and the password of its account.
    func removeFiles(of source: Source, besides others: [Source]) throws

    /// Updates the listings that depend on mappings and lineups.
    func updateDerivedListings(in store: any GuideWriting) throws
}

/// An account of a provider.
package struct AccountLogIn: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The service: the guide of Schedules Direct, or the playlist of an Xtream server.
    package var service: SourceAccount.Service
    /// The user name: an e-mail address for most accounts.
    package var username: String
    /// The password, which descriptions and mirrors leave out.
    package var password: String
    /// The URL of the server; `nil` for Schedules Direct itself.
    package var url: String?

    /// Creates an account, by default at Schedules Direct.
    package init(
        _ service: SourceAccount.Service = .schedulesDirect, username: String, password: String, url: String? = nil
    ) {
        self.service = service
        self.username = username
        self.password = password
        self.url = url
    }

    /// The account without the password.
    package var description: String { username }

    package var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}

/// The settings that administrators can change, and the sources that the settings file defines.
package struct AdministeredSettings: Sendable {
    /// A setting, its value, and the place that it comes from.
    package struct Entry: Sendable {
        /// The name of the setting in the file.
        package var key: String
        /// The label of its field, and a hint.
        package var label: String
        package var hint: String
        /// The value as text, with commas between the values of a list; `nil` for a default that depends on the machine.
        package var value: String?
        /// The place of the value: `default`, `database`, a file with a line, a variable, or an option.
        package var place: String
        /// Whether the settings file, a variable or an option overrides the database, so that a change would have no effect.
        package var isOverridden: Bool

        /// Creates an entry of the screen.
        package init(
            key: String, label: String, hint: String, value: String?, place: String, isOverridden: Bool
        ) {
            self.key = key
            self.label = label
            self.hint = hint
            self.value = value
            self.place = place
            self.isOverridden = isOverridden
        }
    }

    /// The settings, in the order of the screen.
    package var entries: [Entry] = []
    /// The path of the settings file; the first place where one would be found if there is none.
    package var path: String?
    /// The names of the sources that the file defines.
    package var sources: Set<String> = []

    package init() {}
}

/// The refusal of a URL whose host has a private address, until an administrator allows the host.
package struct PrivateHostRefusal: Error, Hashable, Sendable {
    /// The host, as the setting `private-hosts` names it.
    package let host: String
    /// The problem in one sentence.
    package let reason: String

    /// Creates a refusal.
    package init(host: String, reason: String) {
        self.host = host
        self.reason = reason
    }
}

/// The failure of a download because no connection to the server was established, or none with TLS.
package struct UnreachableServer: Error, Hashable, Sendable {
    /// The problem, and what to do, in one or two sentences.
    package let reason: String

    /// Creates a failure.
    package init(reason: String) {
        self.reason = reason
    }
}

/// The reason why settings cannot be read or changed, in one or more sentences.
package struct SettingRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, and what to do.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The state of the refreshes of a service.
package struct RefreshState: Hashable, Sendable {
    /// The progress of one source.
    package struct Step: Hashable, Sendable {
        /// The stage of a refresh of a source, or its result.
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case requesting, fetching, importing, imported, unchanged
            case notModified = "not-modified"
            case notDue = "not-due"
            case notConfigured = "not-configured"
            case failed
        }

        /// The name of the source.
        package var source: String
        /// The stage or the result.
        package var kind: Kind
        /// The bytes of a download or of a guide; 0 if it is unknown.
        package var byteCount: Int64
        /// All bytes of a download; 0 if it is unknown.
        package var total: Int64
        /// The reason of a failure, or the counts of an import.
        package var detail: String

        package init(source: String, kind: Kind, byteCount: Int64 = 0, total: Int64 = 0, detail: String = "") {
            self.source = source
            self.kind = kind
            self.byteCount = byteCount
            self.total = total
            self.detail = detail
        }

        /// Whether the source is complete or has failed.
        package var isFinal: Bool { ![.requesting, .fetching, .importing].contains(kind) }
    }

    /// Whether a refresh is running.
    package var isRunning = false
    /// Whether a refresh was requested and has not begun.
    package var isRequested = false
    /// The sources of the running or the last refresh.
    package var steps: [Step] = []
    /// The start of the running or the last refresh; `nil` before the first one.
    package var began: Instant?
    /// The end of the running or the last refresh; `nil` while it runs, and before the first one.
    package var ended: Instant?
    /// The reason why the last refresh did not run, or failed apart from its sources.
    package var failure: String?

    package init() {}
}
