import ArgumentParser

/// The flags, each of which speaks for a setting of `epg.yml`; what may stand there is said by EPGConfig.
struct DaemonFlags: ParsableArguments {
    @Option(help: ArgumentHelp("The file with the settings.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The guide's database.", valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen: host:port, a port of 127.0.0.1, or the path of a Unix socket. The default is 127.0.0.1:8080.",
            valueName: "address"))
    var listen: String?

    @Option(help: ArgumentHelp("The port to listen on at 127.0.0.1; 0 for any.", valueName: "number"))
    var port: String?

    @Option(help: ArgumentHelp("The zone of people who name none. The default is the system's.", valueName: "zone"))
    var zone: String?

    @Option(help: ArgumentHelp("What the pages are headed with.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("The address under which others reach the service.", valueName: "address"))
    var publicAddress: String?

    @Option(
        help: ArgumentHelp("Tell nothing below it: trace, debug, info, notice, warning, error.", valueName: "level"))
    var logLevel: String?

    @Option(help: ArgumentHelp("How the log is written: text or json.", valueName: "format"))
    var logFormat: String?

    @Option(help: ArgumentHelp("The level of the line of each request. The default is debug.", valueName: "level"))
    var logRequests: String?

    @Option(help: ArgumentHelp("Connections in all. The default is 4096.", valueName: "number"))
    var limitsConnections: String?

    @Option(help: ArgumentHelp("Connections of one address. The default is 256.", valueName: "number"))
    var limitsPerAddress: String?

    @Option(
        help: ArgumentHelp(
            "Requests of one address in a minute; 0 for no limit. The default is 6000.", valueName: "number"))
    var limitsRequestsPerMinute: String?

    @Option(help: ArgumentHelp("The greatest body of a request. The default is 512 MiB.", valueName: "size"))
    var limitsBody: String?

    @Option(help: ArgumentHelp("How long one question to the guide may take. The default is 5 s.", valueName: "time"))
    var limitsQueryDeadline: String?

    @Option(help: ArgumentHelp("Answers kept in memory. The default is 64 MiB.", valueName: "size"))
    var limitsCache: String?

    @Option(help: ArgumentHelp("Schedules kept in memory. The default is 256 MiB.", valueName: "size"))
    var limitsSchedules: String?

    @Option(
        help: ArgumentHelp(
            "A site whose pages may read, such as https://tv.example, or * for all.", valueName: "origin"))
    var corsOrigins: [String] = []

    @Option(
        help: ArgumentHelp("The address of a proxy whose X-Forwarded-For is believed, or unix.", valueName: "address"))
    var trustedProxies: [String] = []

    @Option(help: ArgumentHelp("The file with the token for imports over HTTP.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("The file with the token that /metrics wants.", valueName: "file"))
    var metricsTokenFile: String?

    @Option(
        help: ArgumentHelp(
            "When to refresh the guide, as epg refresh does: a cron expression such as '30 3 * * *'. The default is never.",
            valueName: "cron"))
    var refresh: String?

    @Option(help: ArgumentHelp("The folder for guides that are being received.", valueName: "folder"))
    var spool: String?

    func validate() throws {
        if port != nil, listen != nil { throw ValidationError("Give --listen or --port, not both.") }
        if let port, UInt16(port) == nil {
            throw ValidationError("--port: “\(port)” isn't a port; allowed: a number from 0 to 65535.")
        }
    }

    /// The values that were given, by the key of the setting.
    var values: [String: [String]] {
        let single: [String: String?] = [
            "database": database, "listen": listen ?? port.map { "127.0.0.1:" + $0 }, "zone": zone, "title": title,
            "public-address": publicAddress, "log.level": logLevel, "log.format": logFormat,
            "log.requests": logRequests, "limits.connections": limitsConnections,
            "limits.per-address": limitsPerAddress, "limits.requests-per-minute": limitsRequestsPerMinute,
            "limits.body": limitsBody, "limits.query-deadline": limitsQueryDeadline, "limits.cache": limitsCache,
            "limits.schedules": limitsSchedules,
            "token-file": tokenFile, "metrics.token-file": metricsTokenFile, "refresh": refresh, "spool": spool,
        ]
        var values = single.compactMapValues { $0.map { [$0] } }
        if !corsOrigins.isEmpty { values["cors.origins"] = corsOrigins }
        if !trustedProxies.isEmpty { values["trusted-proxies"] = trustedProxies }
        return values
    }
}
