import CMemory
import EPGAccess
import EPGAdmin
import EPGCalendar
import EPGConfig
import EPGHTTP
import EPGImport
import EPGModel
import EPGProgram
import EPGRefresh
import EPGServer
import XMLTV

/// The operations of administrators in the browser: what `epg source`, `epg refresh` and an editor do on the host.
struct ServiceAdministration: GuideAdministration {
    let reader: ConfigurationReader
    /// The value of `--config`, and the values of the other options.
    let file: String?
    let flags: [String: [String]]
    let guide: any GuideStorage
    let access: AccessStore
    let current: CurrentSettings
    let refreshes: RefreshQueue
    let limits: ImportLimits
    /// The folder for downloads; `nil` for the default.
    let spool: String?
    let now: @Sendable () -> Instant

    /// The limits of a download for a preview: ten minutes, and 1 GiB.
    private static let fetchLimits = FetchLimits(totalSeconds: 600, byteCount: 1 << 30)

    // MARK: - Previews

    func download(
        _ url: String, of account: AccountLogIn?, progress: @escaping @Sendable (Int64, Int64?) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws -> (SpoolFile, GuideDownload) {
        let now = now()
        let fetcher = GuideFetcher(
            userAgent: "swift-epg/\(EPGDaemon.version)", limits: Self.fetchLimits, retries: .never,
            temporaryFolder: spool)
        let observer = FetchObserver(progress: { progress($0.byteCount, $0.total) }, isCancelled: isCancelled)
        do {
            let location = try GuideLocation(url)
            guard case .url = location else { throw ImportRefusal.refused("Only http and https URLs can be fetched.") }
            // As a refresh requests it; see Refresher.
            var request = FetchRequest(location: location, allowsPrivateAddresses: try isAllowed(url))
            if let account {
                request.setLocation(
                    ofAccount: SourceAccount(account.service, username: account.username), server: url,
                    password: account.password)
            }
            guard case .body(let body) = try fetcher.fetch(request, watch: observer) else {
                throw ImportRefusal.refused("The server sent no guide.")
            }
            // Keeps the temporary file until it is open again.
            let file = try withExtendedLifetime(body) { try SpoolFile(reading: body.path) }
            return (
                file,
                GuideDownload(
                    location: url, hash: body.hash, entityTag: body.entityTag, lastModified: body.lastModified,
                    date: now)
            )
        } catch let refusal as ImportRefusal {
            throw refusal
        } catch {
            throw Self.refusal(error, of: url)
        }
    }

    func lineups(
        of account: AccountLogIn, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> [SchedulesDirectOffer] {
        let url = account.url ?? SchedulesDirectSettings.defaultURL
        guard SchedulesDirectSettings.isProtected(url) else {
            throw ImportRefusal.refused("The password would be sent unencrypted. Use an https:// URL.")
        }
        // It shares the cached token with the refresh, because logins are limited.
        let fetcher = GuideFetcher(
            userAgent: "swift-epg/\(EPGDaemon.version)", limits: FetchLimits(totalSeconds: 60),
            retries: .never, temporaryFolder: spool, databasePath: guide.companionPath)
        do {
            return try fetcher.schedulesDirectOffers(
                FetchRequest(
                    location: try GuideLocation(url), allowsPrivateAddresses: try isAllowed(url),
                    schedulesDirect: SchedulesDirectAccount(username: account.username, password: account.password)),
                watch: FetchObserver(isCancelled: isCancelled))
        } catch {
            throw Self.refusal(error, of: url)
        }
    }

    private static let adviceForPrivateAddresses =
        "To allow this, add the host to the hosts with private addresses in the settings."

    /// The refusal of a location that cannot be fetched.
    private static func refusal(_ error: any Error, of url: String) -> any Error {
        if error is PrivateHostRefusal { return error }
        let failure = RefreshFailure(error, kind: .unavailable)
        if failure.remedy == .allowPrivateAddresses, let host = try? GuideLocation.host(of: url).name {
            return PrivateHostRefusal(host: host, reason: failure.sentence)
        }
        if let error = error as? FetchError, error.isWithoutConnection {
            return UnreachableServer(reason: failure.explained { $0.advice }.sentence)
        }
        return ImportRefusal.refused(failure.explained { $0.advice }.sentence)
    }

    func checkLocation(_ url: String) throws {
        do {
            _ = try isAllowed(url)
        } catch let refusal as PrivateHostRefusal {
            throw SettingRefusal("\(refusal.reason) \(Self.adviceForPrivateAddresses)")
        } catch let error as FetchError {
            throw SettingRefusal(RefreshFailure(error, kind: .configuration).sentence)
        }
    }

    /// Returns whether the settings allow that the host of a URL has a private address.
    ///
    /// - Throws: ``PrivateHostRefusal`` if they do not, and the URL itself names this machine or its network.
    private func isAllowed(_ url: String) throws -> Bool {
        let host = try GuideLocation.host(of: url)
        if current.values.configuration.privateHosts.contains(host.name) { return true }
        guard !host.isLocal else {
            throw PrivateHostRefusal(
                host: host.name, reason: "The URL names this machine or its network (\(host.name)).")
        }
        return false
    }

    func preview(
        _ file: SpoolFile, zone: String?, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> GuidePreview {
        defer { cmemory_give_back() }
        var options = ImportOptions()
        options.limits = limits
        do {
            let bytes = WatchedSource(file.source, isCancelled: isCancelled)
            // The zone of a service need not be in its database, for example if TZ defines it.
            let known = zone.flatMap { try? Zone(named: $0) }
            let source = Source(name: "file", timeZone: known?.name)
            return try GuideValidator(options: options).preview(of: GuideFile(bytes, name: "file"), as: source)
        } catch let error as GuideFileError where error.hasIntactPart {
            throw ImportRefusal.refused(
                "\(error). `epg import --partial` imports the intact part on the host of the service.")
        } catch {
            throw ImportRefusal(error) ?? error
        }
    }

    func displayable(_ location: String) -> String { GuideLocation.displayable(location) }

    func redacted(_ message: String) -> String { GuideLocation.redactingURLs(in: message) }

    // MARK: - Refreshes

    func requestRefresh(of names: Set<String>?, isForced: Bool) {
        refreshes.add(.request(sources: names, isForced: isForced))
    }

    func cancelRefresh() { refreshes.cancel() }

    var refreshState: RefreshState { refreshes.shown }

    func removeFiles(of source: Source, besides others: [Source]) throws {
        try SchedulesDirectFiles.remove(
            ofSource: source.name, beside: others.map(\.name), besideDatabase: guide.companionPath)
        try access.forgetAccount(of: source, besides: others)
    }

    func updateDerivedListings(in store: any GuideWriting) throws {
        do {
            _ = try DerivedGuide(current.values.configuration.derivedListings, limits: limits, now: now()).update(store)
        } catch is ExceededImportLimit {
            // The change itself has succeeded. The next refresh reports the limit.
        }
    }

    // MARK: - Settings

    func settings() throws -> AdministeredSettings {
        do {
            var findings = try reader.read(file: file, flags: flags)
            var refused: [String: [String]] = [:]
            do {
                try reader.apply(settingsOf: guide, to: &findings)
            } catch let refusal as ConfigurationRefusal {
                // The page shows values that this version refuses, so that they can be changed.
                let keys = Set(refusal.errors.compactMap(\.key))
                refused = try guide.read { try $0.storedSettings() }.filter { keys.contains($0.key) }
            }
            var settings = AdministeredSettings()
            settings.path = findings.file ?? file ?? reader.places.first
            settings.sources = Set(findings.configuration.sources.map(\.source.name))
            settings.entries = findings.settings.compactMap { finding in
                finding.setting.form.map { form in
                    let stored = refused[finding.setting.key]
                    let values = stored ?? finding.values
                    return AdministeredSettings.Entry(
                        key: finding.setting.key, label: form.label, hint: form.hint,
                        value: values.isEmpty ? nil : values.joined(separator: ", "),
                        place: (stored == nil ? finding.place : .database).description,
                        isOverridden: ![.builtIn, .database].contains(finding.place))
                }
            }
            return settings
        } catch let refusal as ConfigurationRefusal {
            throw SettingRefusal("\(refusal.message).")
        }
    }

    func changeSettings(_ values: [String: String?], in store: any GuideWriting) throws {
        let problems = problems(ofSettings: values)
        guard problems.isEmpty else {
            throw SettingRefusal(problems.sorted { $0.key < $1.key }.map(\.value).joined(separator: " "))
        }
        for (key, text) in values {
            guard let setting = Setting.named(key), setting.isStored else { continue }
            try store.saveSetting(key, to: try reader.values(toStore: setting, text))
        }
    }

    func problems(ofSettings values: [String: String?]) -> [String: String] {
        var problems: [String: String] = [:]
        for (key, text) in values {
            guard let setting = Setting.named(key), setting.isStored else { continue }
            do throws(ConfigurationRefusal) {
                _ = try reader.values(toStore: setting, text)
            } catch {
                // The page shows the field.
                problems[key] = error.errors.map { error in
                    let end = error.reason.hasSuffix("?") ? "" : "."
                    return "\(error.reason.prefix(1).uppercased())\(error.reason.dropFirst())\(end)"
                }.joined(separator: " ")
            }
        }
        return problems
    }

    func useSettings() throws {
        do {
            try current.read()
        } catch let refusal as ConfigurationRefusal {
            throw SettingRefusal("\(refusal.message).")
        }
        refreshes.wake()
    }
}

extension FetchError {
    /// Whether the server accepted no connection, or none with TLS, so that it may be reachable with another scheme.
    fileprivate var isWithoutConnection: Bool {
        switch reason {
        case .cannotConnect, .noTLS: true
        default: false
        }
    }
}
