import CResources
import EPGModel

/// A setting with a value or a list of values: its key, description, accepted values and default, and where it is stored.
package struct Setting: Sendable {
    /// The key in the file. Keys of nested mappings are joined with periods, such as `log.level`.
    package let key: String
    /// What the setting is: a fragment without a period, for the help of options, the documentation and the example. It has the
    /// default if there is one and ``defaultValue`` is `nil`.
    package let help: String
    /// Whether the setting takes several values, which the environment separates with commas.
    package let isList: Bool
    /// Whether the value is a path. Paths in a file are relative to the file's folder.
    let isPath: Bool
    /// The accepted values, to follow “allowed: ” in messages.
    package let allowed: String
    /// Whether the database may have the setting, which then takes effect without a restart.
    package var isStored: Bool { form != nil }
    /// The field of a form with the setting; `nil` for one that the database cannot have.
    package private(set) var form: Form?
    /// The default value as text; `nil` if there is none or if it depends on the machine.
    package let defaultValue: String?
    /// Stores values in a configuration. Returns `false` if they are invalid.
    let apply: @Sendable (inout ServiceConfiguration, [String]) -> Bool

    /// The environment variable, such as `EPG_LOG_LEVEL`.
    package var variable: String { Self.variable(of: key) }

    /// Returns the environment variable of a key.
    static func variable(of key: String) -> String {
        "EPG_" + String(key.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }

    /// The command-line option without the leading hyphens, such as `log-level`.
    package var flag: String { Self.flag(of: key) }

    private static func flag(of key: String) -> String { String(key.map { $0 == "." ? "-" : $0 }) }

    /// A field of a form.
    package struct Form: Hashable, Sendable {
        /// What the setting is, in a few words.
        package let label: String
        /// Examples, and what a blank field means.
        package let hint: String
    }

    /// Returns the same setting, which the database may also have.
    private func stored(_ label: String, hint: String) -> Setting {
        var copy = self
        copy.form = Form(label: label, hint: hint)
        return copy
    }

    private init(
        _ key: String, help: String, allowed: String, default defaultValue: String? = nil, isPath: Bool = false,
        isList: Bool = false, apply: @escaping @Sendable (inout ServiceConfiguration, [String]) -> Bool
    ) {
        self.key = key
        self.help = help
        self.allowed = allowed
        self.defaultValue = defaultValue
        self.isPath = isPath
        self.isList = isList
        self.apply = apply
    }

    private typealias Place<Value> = any WritableKeyPath<ServiceConfiguration, Value> & Sendable

    /// Creates a setting with one value.
    ///
    /// - Parameters:
    ///   - text: Returns the default as text.
    ///   - parse: Returns `nil` for invalid text.
    private init<Value: Sendable>(
        _ key: String, help: String, allowed: String, isPath: Bool = false, at place: Place<Value>,
        default text: (Value) -> String?, parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(
            key, help: help, allowed: allowed, default: text(ServiceConfiguration()[keyPath: place]), isPath: isPath
        ) { configuration, values in
            guard values.count == 1, let value = parse(values[0]) else { return false }
            configuration[keyPath: place] = value
            return true
        }
    }

    /// Creates a setting with one text and no default.
    private static func text(
        _ key: String, help: String, allowed: String, isPath: Bool = false, at place: Place<String?>,
        parse: @escaping @Sendable (String) -> String? = SettingText.text
    ) -> Setting {
        Setting(key, help: help, allowed: allowed, isPath: isPath, at: place, default: { $0 }) { text in
            parse(text).map(Optional.some)
        }
    }

    /// Creates a setting with a number; with `isZeroAllowed`, also 0 for no limit.
    private static func number(
        _ key: String, help: String, upTo limit: Int, orZero isZeroAllowed: Bool = false, at place: Place<Int>
    ) -> Setting {
        let allowed = "a number from 1 to \(limit)" + (isZeroAllowed ? ", or 0 for no limit" : "")
        return Setting(key, help: help, allowed: allowed, at: place, default: { "\($0)" }) { text in
            SettingText.number(text, in: (isZeroAllowed ? 0 : 1)...limit)
        }
    }

    /// Creates a setting with a size of at most 1 TiB.
    private static func size(
        _ key: String, help: String, from minimum: (bytes: Int, text: String) = (1 << 20, "1 MiB"),
        at place: Place<Int>
    ) -> Setting {
        Setting(
            key, help: help, allowed: "a size from \(minimum.text) to 1 TiB, such as 64 MiB", at: place,
            default: { "\($0 >> 20) MiB" }
        ) { text in SettingText.bytes(text, in: minimum.bytes...1 << 40) }
    }

    private static func days(
        _ key: String, help: String, allowed: String, in range: ClosedRange<Int>, at place: Place<Int>
    ) -> Setting {
        Setting(key, help: help, allowed: allowed, at: place, default: { "\($0)" }) { text in
            SettingText.days(text, in: range)
        }
    }

    private static func boolean(_ key: String, help: String, at place: Place<Bool>) -> Setting {
        Setting(
            key, help: help, allowed: "true or false", at: place, default: { "\($0)" }, parse: SettingText.boolean)
    }

    private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ key: String, help: String, at place: Place<Value>
    ) -> Setting where Value.RawValue == String {
        Setting(
            key, help: help, allowed: SettingText.names(of: Value.self), at: place, default: { $0.rawValue },
            parse: { Value(rawValue: $0) })
    }

    /// Creates a setting with any number of values.
    private static func list(
        _ key: String, help: String, allowed: String,
        apply: @escaping @Sendable (inout ServiceConfiguration, [String]) -> Bool
    ) -> Setting {
        Setting(key, help: help, allowed: allowed, isList: true, apply: apply)
    }
}

// MARK: - All settings

extension Setting {
    /// All settings except settings of sources.
    package static let all: [Setting] = [
        text(
            "database",
            help: "Database file, or postgresql:// URL (default: epg/guide.sqlite in $XDG_DATA_HOME or ~/.local/share)",
            allowed: "the path of the guide's database, or a postgresql:// URL", isPath: true, at: \.database),
        Setting(
            "listen", help: "Address to listen on: host:port, a port of 127.0.0.1, or a Unix socket path",
            allowed: ListenAddress.forms, isPath: true, at: \.listen, default: { _ in "127.0.0.1:8080" },
            parse: ListenAddress.init(parsing:)),
        text(
            "zone", help: "Time zone of epg, of the service and of schedules (default: the system time zone)",
            allowed: "an IANA zone such as Europe/London", at: \.zone
        ).stored("Time zone", hint: "Such as Europe/London. Blank for the time zone of the system."),
        Setting(
            "title", help: "Title of the web pages", allowed: "text of at most 200 bytes", at: \.title,
            default: { $0 }
        ) { text in SettingText.text(text).flatMap { $0.utf8.count <= 200 ? $0 : nil } },
        Setting(
            "language", help: "Language of the web pages, or auto for the language of each browser",
            allowed: "auto, " + SettingText.names(of: PageLanguage.self), at: \.language,
            default: { $0?.rawValue ?? "auto" }
        ) { text in text == "auto" ? .some(nil) : PageLanguage(rawValue: text).map(Optional.some) },
        text(
            "public-url", help: "Public URL of the service (default: taken from the request)",
            allowed: "a URL such as https://tv.example, without a path", at: \.publicURL, parse: SettingText.origin),
        choice(
            "log.level", help: "Minimum log level: trace, debug, info, notice, warning, error or critical",
            at: \.log.level),
        choice("log.format", help: "Log format: text or json", at: \.log.format),
        choice("log.requests", help: "Log level of requests", at: \.log.requests),
        number(
            "limits.connections", help: "Maximum number of connections", upTo: 1_000_000, at: \.limits.connections),
        number(
            "limits.per-address", help: "Maximum number of connections per IP address", upTo: 1_000_000,
            at: \.limits.connectionsPerAddress),
        number(
            "limits.requests-per-minute",
            help: "Maximum number of requests per IP address and minute; 0 for no limit", upTo: 1_000_000_000,
            orZero: true, at: \.limits.requestsPerMinute),
        size("limits.body", help: "Maximum request body size", from: (1 << 10, "1 KiB"), at: \.limits.body),
        Setting(
            "limits.query-deadline", help: "Maximum duration of a database query",
            allowed: "a duration from 10 ms to 600 s, such as 5 s", at: \.limits.queryDeadline,
            default: { "\($0.components.seconds) s" }
        ) { text in SettingText.duration(text, inMilliseconds: 10...600_000) },
        size("limits.cache", help: "Size of the response cache", at: \.limits.cache),
        size("limits.schedules", help: "Size of the schedule cache", at: \.limits.schedules),
        size("limits.artwork", help: "Size of the folder of pictures", at: \.limits.artwork),
        choice(
            "artwork",
            help: """
                Where pages show logos and pictures from: kept (from this service, which downloads them) or direct (from the \
                servers that the guide names)
                """, at: \.artwork),
        number(
            "import.programmes",
            help: "Maximum number of programmes of a guide, and of airings of one source in the database",
            upTo: 1_000_000_000, at: \.importLimits.programmes),
        number(
            "import.programmes-per-station", help: "Maximum number of programmes of one station", upTo: 1_000_000_000,
            at: \.importLimits.programmesPerStation),
        number(
            "import.stations",
            help: "Maximum number of stations of a guide, and of stations of one source in the database",
            upTo: 100_000_000, at: \.importLimits.stations),
        size(
            "import.memory", help: "Memory for the parts of a guide that an import holds", at: \.importLimits.memory),
        list(
            "cors.origins", help: "Origins that may read responses (CORS), such as https://tv.example, or * for all",
            allowed: "origins such as https://tv.example, or * for all"
        ) { configuration, texts in
            let origins = texts.map { $0 == "*" ? "*" : SettingText.origin($0) }
            configuration.corsOrigins = origins.compactMap { $0 }
            return !origins.contains(nil)
        },
        list(
            "trusted-proxies",
            help: "IP addresses of proxies whose X-Forwarded-For is trusted, or unix for proxies on a Unix socket",
            allowed: "IP addresses, or unix for proxies on a Unix socket"
        ) { configuration, texts in
            configuration.trustedProxies = texts
            return texts.allSatisfy { $0 == "unix" || SettingText.isAddress($0) }
        },
        list(
            "browse.player", help: "Command that the key p starts, without a shell",
            allowed: "a program and its arguments"
        ) { configuration, texts in
            configuration.browse.player = texts
            return texts.allSatisfy { SettingText.text($0) != nil }
        },
        list(
            "browse.keys", help: "Keys that replace the default keys of actions",
            allowed: "actions and keys such as search=ctrl-f"
        ) { configuration, texts in
            configuration.browse.keys = texts
            return texts.allSatisfy { SettingText.text($0)?.contains("=") ?? false }
        },
        boolean("require-login", help: "Whether readers must log in, or have a token", at: \.requiresLogin),
        days(
            "retention", help: "Days to keep airings after their stop, longer on stations with catch-up",
            allowed: "days to keep airings after their stop, from 0 to 3660, such as 7 d", in: 0...3660,
            at: \.retention
        ).stored("Days to keep airings after their end", hint: "From 0 to 3660. Takes effect at the next refresh."),
        days(
            "derived.days", help: "Days after today that derived listings cover",
            allowed: "days after today that derived listings cover, from 1 to 30, such as 3 d", in: 1...30,
            at: \.derived.days),
        boolean(
            "derived.plus-one",
            help: "Whether a “+1” channel without listings takes its parent's listings an hour later",
            at: \.derived.plusOne),
        text(
            "refresh",
            help: """
                Schedule on which the service refreshes the guide: a cron expression such as "30 3 * * *", or @daily (default: \
                never)
                """,
            allowed: "a cron expression of five fields such as \"30 3 * * *\", or @hourly, @daily, @weekly, @monthly",
            at: \.refresh
        ).stored(
            "Refresh schedule",
            hint:
                "Minute, hour, day of the month, month, day of the week: “30 3 * * *” is 3:30 every night; or @hourly, @daily, @weekly."
        ),
        list(
            "private-hosts",
            help: """
                Hosts of guides, pictures and targets of reminders that may have private, loopback or link-local IP addresses, \
                on any port
                """, allowed: "names or IP addresses of hosts, without a port"
        ) { configuration, texts in
            let hosts = texts.map(SettingText.host)
            configuration.privateHosts = Set(hosts.compactMap(\.self))
            return !hosts.contains(nil)
        }.stored(
            "Hosts with private addresses",
            hint:
                "Names or IP addresses, separated by commas, such as tuner.lan, 192.168.1.20. Guides, pictures and reminders may be exchanged with these hosts of your network, on any port: any guide can name pictures there."
        ),
        text(
            "spool", help: "Folder for request bodies of imports (default: the folder of the database)",
            allowed: "the path of a folder", isPath: true, at: \.spool),
    ]

    /// What replaces settings of former versions.
    static let successors = [
        "source-hosts": "private-hosts", "artwork-hosts": "private-hosts", "private-addresses": "private-hosts",
        "token-file": "epg admin token add NAME --scope import --scope watch",
        "metrics.token-file": "epg admin token add NAME --scope metrics",
        "admin.token-file": "epg admin token add NAME --scope admin",
    ]

    /// Returns what to use instead of a setting of a former version, for messages; an empty text for any other key.
    package static func successor(of key: String) -> String { successors[key].map { "use “\($0)” instead; " } ?? "" }

    /// Returns what to use instead of an argument that is the option of a former version; `nil` for any other argument.
    package static func advice(onOption argument: String) -> String? {
        successors.first { key, _ in
            let option = "--" + flag(of: key)
            return argument == option || argument.hasPrefix(option + "=")
        }.map { key, successor in "--\(flag(of: key)) is no longer an option; use “\(successor)” instead." }
    }

    /// Returns the setting with a key.
    package static func named(_ key: String) -> Setting? { all.first { $0.key == key } }
}

/// An example configuration file with every setting.
package enum ConfigurationExample {
    /// YAML that is commented out: explanations begin with two number signs, settings with one.
    package static var text: String { String(cString: cresources_example_yml()) }

    /// The example with all settings enabled.
    static var enabled: String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("#") && !line.hasPrefix("##") ? line.dropFirst() : line
        }.joined(separator: "\n")
    }
}
