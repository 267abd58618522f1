import CResources
import EPGModel

/// A setting with a value or a list of values: its key, its accepted values, and where it is stored.
package struct Setting: Sendable {
    /// The key in the file. Keys of nested mappings are joined with periods, such as `log.level`.
    package let key: String
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
    package var flag: String { String(key.map { $0 == "." ? "-" : $0 }) }

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

    /// Creates a setting with one value.
    init(
        _ key: String, isPath: Bool = false, allowed: String, default defaultValue: String? = nil,
        apply: @escaping @Sendable (inout ServiceConfiguration, String) -> Bool
    ) {
        self.key = key
        self.isPath = isPath
        self.allowed = allowed
        self.defaultValue = defaultValue
        isList = false
        self.apply = { configuration, values in values.count == 1 && apply(&configuration, values[0]) }
    }

    /// Creates a setting with any number of values.
    init(
        list key: String, allowed: String,
        apply: @escaping @Sendable (inout ServiceConfiguration, [String]) -> Bool
    ) {
        self.key = key
        self.allowed = allowed
        self.apply = apply
        defaultValue = nil
        isPath = false
        isList = true
    }

    /// Creates a setting whose value is parsed. `parse` returns `nil` for invalid text.
    init<Value: Sendable>(
        _ key: String, isPath: Bool = false, allowed: String, default defaultValue: String? = nil,
        at place: any WritableKeyPath<ServiceConfiguration, Value> & Sendable,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(key, isPath: isPath, allowed: allowed, default: defaultValue) { configuration, text in
            guard let value = parse(text) else { return false }
            configuration[keyPath: place] = value
            return true
        }
    }

    /// Creates a setting whose value is parsed and that has no default.
    init(
        _ key: String, isPath: Bool = false, allowed: String,
        atOptional place: any WritableKeyPath<ServiceConfiguration, String?> & Sendable,
        parse: @escaping @Sendable (String) -> String?
    ) {
        self.init(key, isPath: isPath, allowed: allowed, at: place) { text in parse(text).map(Optional.some) }
    }
}

// MARK: - All settings

extension Setting {
    /// All settings except those of sources.
    package static let all: [Setting] = [
        Setting(
            "database", isPath: true, allowed: "the path of the guide's database, or a postgresql:// URL",
            atOptional: \.database,
            parse: SettingText.text),
        Setting(
            "listen", isPath: true, allowed: ListenAddress.forms, default: "127.0.0.1:8080", at: \.listen,
            parse: ListenAddress.init(parsing:)),
        Setting("zone", allowed: "an IANA zone such as Europe/London", atOptional: \.zone, parse: SettingText.text)
            .stored("Time zone", hint: "Such as Europe/London. Blank for the time zone of the system."),
        Setting("title", allowed: "text of at most 200 bytes", default: "TV guide") { configuration, text in
            guard let title = SettingText.text(text), title.utf8.count <= 200 else { return false }
            configuration.title = title
            return true
        },
        Setting(
            "public-url", allowed: "a URL such as https://tv.example, without a path",
            atOptional: \.publicURL,
            parse: SettingText.origin),
        Setting("log.level", allowed: SettingText.names(of: LogSettings.Level.self), default: "info", at: \.log.level) {
            .init(rawValue: $0)
        },
        Setting(
            "log.format", allowed: SettingText.names(of: LogSettings.Format.self), default: "text", at: \.log.format
        ) {
            .init(rawValue: $0)
        },
        Setting(
            "log.requests", allowed: SettingText.names(of: LogSettings.Level.self), default: "debug", at: \.log.requests
        ) {
            .init(rawValue: $0)
        },
        Setting("limits.connections", allowed: "a number from 1 to 1000000", default: "4096", at: \.limits.connections)
        {
            SettingText.number($0, in: 1...1_000_000)
        },
        Setting(
            "limits.per-address", allowed: "a number from 1 to 1000000", default: "256",
            at: \.limits.connectionsPerAddress
        ) {
            SettingText.number($0, in: 1...1_000_000)
        },
        Setting(
            "limits.requests-per-minute", allowed: "a number from 1 to 1000000000, or 0 for no limit", default: "6000",
            at: \.limits.requestsPerMinute
        ) {
            SettingText.number($0, in: 0...1_000_000_000)
        },
        Setting(
            "limits.body", allowed: "a size from 1 KiB to 1 TiB, such as 64 MiB", default: "512 MiB", at: \.limits.body
        ) {
            SettingText.bytes($0, in: 1 << 10...1 << 40)
        },
        Setting(
            "limits.query-deadline", allowed: "a duration from 10 ms to 600 s, such as 5 s", default: "5 s",
            at: \.limits.queryDeadline
        ) {
            SettingText.duration($0, in: .milliseconds(10)...Duration.seconds(600))
        },
        Setting(
            "limits.cache", allowed: "a size from 1 MiB to 1 TiB, such as 64 MiB", default: "64 MiB", at: \.limits.cache
        ) {
            SettingText.bytes($0, in: 1 << 20...1 << 40)
        },
        Setting(
            "limits.schedules", allowed: "a size from 1 MiB to 1 TiB, such as 256 MiB", default: "256 MiB",
            at: \.limits.schedules
        ) {
            SettingText.bytes($0, in: 1 << 20...1 << 40)
        },
        Setting(
            "limits.artwork", allowed: "a size from 1 MiB to 1 TiB, such as 256 MiB", default: "256 MiB",
            at: \.limits.artwork
        ) {
            SettingText.bytes($0, in: 1 << 20...1 << 40)
        },
        Setting("artwork", allowed: SettingText.names(of: ArtworkMode.self), default: "kept", at: \.artwork) {
            .init(rawValue: $0)
        },
        Setting(
            "import.programmes", allowed: "a number from 1 to 1000000000", default: "3000000",
            at: \.importLimits.programmes
        ) {
            SettingText.number($0, in: 1...1_000_000_000)
        },
        Setting(
            "import.programmes-per-station", allowed: "a number from 1 to 1000000000", default: "50000",
            at: \.importLimits.programmesPerStation
        ) {
            SettingText.number($0, in: 1...1_000_000_000)
        },
        Setting(
            "import.stations", allowed: "a number from 1 to 100000000", default: "100000", at: \.importLimits.stations
        ) {
            SettingText.number($0, in: 1...100_000_000)
        },
        Setting(
            "import.memory", allowed: "a size from 1 MiB to 1 TiB, such as 256 MiB", default: "256 MiB",
            at: \.importLimits.memory
        ) {
            SettingText.bytes($0, in: 1 << 20...1 << 40)
        },
        Setting(list: "cors.origins", allowed: "origins such as https://tv.example, or * for all") {
            configuration, texts in
            let origins = texts.map { $0 == "*" ? "*" : SettingText.origin($0) }
            configuration.corsOrigins = origins.compactMap { $0 }
            return !origins.contains(nil)
        },
        Setting(list: "trusted-proxies", allowed: "IP addresses, or unix for proxies on a Unix socket") {
            configuration, texts in
            configuration.trustedProxies = texts
            return texts.allSatisfy { $0 == "unix" || SettingText.isAddress($0) }
        },
        Setting(list: "browse.player", allowed: "a program and its arguments") { configuration, texts in
            configuration.browse.player = texts
            return texts.allSatisfy { SettingText.text($0) != nil }
        },
        Setting(list: "browse.keys", allowed: "actions and keys such as search=ctrl-f") { configuration, texts in
            configuration.browse.keys = texts
            return texts.allSatisfy { SettingText.text($0)?.contains("=") ?? false }
        },
        Setting("require-login", allowed: "true or false", default: "false", at: \.requiresLogin) {
            SettingText.boolean($0)
        },
        Setting(
            "retention", allowed: "days to keep airings after their stop, from 0 to 3660, such as 7 d",
            default: "7",
            at: \.retention
        ) {
            SettingText.days($0, in: 0...3660)
        }.stored("Days to keep airings after their end", hint: "From 0 to 3660. Takes effect at the next refresh."),
        Setting(
            "derived.days", allowed: "days after today that derived listings cover, from 1 to 30, such as 3 d",
            default: "3", at: \.derived.days
        ) {
            SettingText.days($0, in: 1...30)
        },
        Setting("derived.plus-one", allowed: "true or false", default: "false", at: \.derived.plusOne) {
            SettingText.boolean($0)
        },
        Setting(
            "refresh",
            allowed: "a cron expression of five fields such as \"30 3 * * *\", or @hourly, @daily, @weekly, @monthly",
            atOptional: \.refresh, parse: SettingText.text
        ).stored(
            "Refresh schedule",
            hint:
                "Minute, hour, day of the month, month, day of the week: “30 3 * * *” is 3:30 every night; or @hourly, @daily, @weekly. Blank for none."
        ),
        Setting(list: "private-hosts", allowed: "names or IP addresses of hosts, without a port") {
            configuration, texts in
            let hosts = texts.map(SettingText.host)
            configuration.privateHosts = Set(hosts.compactMap(\.self))
            return !hosts.contains(nil)
        }.stored(
            "Hosts with private addresses",
            hint:
                "Names or IP addresses, separated by commas, such as tuner.lan, 192.168.1.20. Guides, pictures and reminders may be exchanged with these hosts of your network, on any port: any guide can name pictures there."
        ),
        Setting("spool", isPath: true, allowed: "the path of a folder", atOptional: \.spool, parse: SettingText.text),
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
