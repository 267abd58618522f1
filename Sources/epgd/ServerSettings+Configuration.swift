import EPGCalendar
import EPGConfig
import EPGFiles
import EPGOutput
import EPGServer
import Glibc
import Logging

extension ServerSettings {
    /// Creates the server settings from a configuration.
    ///
    /// - Throws: ``ConfigurationError`` if the time zone is unknown, or a file or folder cannot be used.
    init(_ findings: ConfigurationFindings) throws {
        let configuration = findings.configuration
        var site = Site(zone: .current)
        site.title = configuration.title
        site.publicURL = configuration.publicURL
        site.output = configuration.output
        site.sendsReminders = !configuration.reminders.isEmpty
        do throws(SystemFault) {
            site.logos = try Logos(configuration.output.logos, base: (configuration.publicURL ?? "") + Logos.path)
        } catch {
            throw findings.failure(
                "logos", "cannot read \(configuration.output.logos.folder ?? "the folder"): \(error)")
        }
        self.init(site: site)
        address =
            switch configuration.listen {
            case .port(let port, let host): .port(port, host: host)
            case .socket(let path): .socket(path: path)
            }
        limits.connections = configuration.limits.connections
        limits.connectionsPerAddress = configuration.limits.connectionsPerAddress
        limits.requestsPerMinute = configuration.limits.requestsPerMinute
        // Let the import reject a body that is too large, so that its audit log entry gives the reason.
        limits.bodyBytes = configuration.limits.body + 1 << 20
        queryDeadline = configuration.limits.queryDeadline
        cacheCapacity = configuration.limits.cache
        scheduleCapacity = configuration.limits.schedules
        crossOrigins = configuration.corsOrigins
        trustedProxies = configuration.trustedProxies
        requestLogLevel = Logger.Level(rawValue: configuration.log.requests.rawValue) ?? .debug
        database = configuration.database
        importing.token = try TokenFile.token(at: configuration.tokenFile, of: "token-file", findings)
        metricsToken = try TokenFile.token(at: configuration.metricsTokenFile, of: "metrics.token-file", findings)
        if let token = metricsToken, token == importing.token {
            throw findings.failure("metrics.token-file", "must not have the same token as token-file")
        }
        importing.maximumSize = configuration.limits.body
        if let folder = configuration.spool {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(folder, W_OK | X_OK) == 0
            else {
                throw findings.failure("spool", "\(folder) is not a writable folder")
            }
            importing.folder = folder
            feeds.folder = folder
        }
    }
}

extension ConfigurationFindings {
    /// Returns the token of administrators; `nil` without one.
    ///
    /// - Throws: ``ConfigurationError`` if the file cannot be read, or the token is too short or that of another setting.
    func administratorToken(besides settings: ServerSettings) throws(ConfigurationError) -> [UInt8]? {
        let token = try TokenFile.token(at: configuration.administratorTokenFile, of: "admin.token-file", self)
        if let token, [settings.importing.token, settings.metricsToken].contains(token) {
            throw failure("admin.token-file", "must not have the same token as token-file or metrics.token-file")
        }
        return token
    }
}

/// Reads a token file: the one for imports over HTTP, the one for `/metrics`, or the one for administration.
private enum TokenFile {
    /// Returns the first line of the file without surrounding blanks; `nil` if `path` is `nil`.
    ///
    /// - Parameter setting: The key of the setting.
    /// - Throws: ``ConfigurationError`` if the file cannot be read, or the token has fewer than 16 bytes.
    static func token(
        at path: String?, of setting: String, _ findings: ConfigurationFindings
    ) throws(ConfigurationError) -> [UInt8]? {
        guard let path else { return nil }
        let token: ArraySlice<UInt8>
        do throws(SystemFault) {
            token = try OpenFile(reading: path).rest(upTo: 4096).firstLine
        } catch {
            throw findings.failure(setting, "cannot read \(path): \(error)")
        }
        guard token.count >= 16 else {
            throw findings.failure(
                setting,
                "the first line of \(path) has fewer than 16 characters; create a token with: "
                    + "openssl rand -hex 32 | install -m 600 /dev/stdin \(path)"
            )
        }
        return Array(token)
    }
}
