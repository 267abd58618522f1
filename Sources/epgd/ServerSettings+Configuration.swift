import EPGCalendar
import EPGConfig
import EPGFiles
import EPGHTTP
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
        importing.maximumSize = configuration.limits.body
        if let folder = configuration.spool {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, Glibc.access(folder, W_OK | X_OK) == 0
            else {
                throw findings.failure("spool", "\(folder) is not a writable folder")
            }
            importing.folder = folder
            feeds.folder = folder
        }
    }
}
