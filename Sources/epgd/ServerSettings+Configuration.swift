import EPGCalendar
import EPGConfig
import EPGServer
import Glibc
import Logging

extension ServerSettings {
    /// The server's part of a configuration.
    ///
    /// - Throws: ``ConfigurationError`` where the zone isn't known, or a file or folder can't be used.
    init(_ findings: ConfigurationFindings) throws {
        let configuration = findings.configuration
        var zone = Zone.current
        if let name = configuration.zone {
            do {
                zone = try Zone(named: name)
            } catch {
                throw findings.failure("zone", "\(error)")
            }
        }
        var site = Site(zone: zone)
        site.title = configuration.title
        site.publicAddress = configuration.publicAddress
        self.init(site: site)
        address =
            switch configuration.listen {
            case .port(let port, let host): .port(port, host: host)
            case .socket(let path): .socket(path: path)
            }
        limits.connections = configuration.limits.connections
        limits.connectionsPerAddress = configuration.limits.connectionsPerAddress
        limits.requestsPerMinute = configuration.limits.requestsPerMinute
        // The connection leaves it to the import to refuse a body that grows too large, so that its audit line says so.
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
            throw findings.failure("metrics.token-file", "it has the token of token-file; use another one")
        }
        importing.maximumSize = configuration.limits.body
        if let folder = configuration.spool {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(folder, W_OK | X_OK) == 0
            else {
                throw findings.failure("spool", "\(folder) isn't a folder that can be written to")
            }
            importing.folder = folder
            feeds.folder = folder
        }
    }
}
