/// One setting that has a value or a list of values: what it is called, what may stand there, and where it goes.
package struct Setting: Sendable {
    /// The key in the file, with a full stop between those of nested mappings, such as `log.level`.
    package let key: String
    /// Whether the file may give several values, and the environment several with commas between them.
    let isList: Bool
    /// Whether the value is a path, which in a file is relative to the file's folder.
    let isPath: Bool
    /// What may stand there, as a sentence goes on after “allowed: ”.
    package let allowed: String
    /// The default as it would be written; `nil` where there is none, or where it depends on the machine.
    package let usual: String?
    /// Puts values into a configuration; `false` where they aren't allowed.
    let apply: @Sendable (inout ServiceConfiguration, [String]) -> Bool

    /// The variable of the environment, such as `EPG_LOG_LEVEL`.
    package var variable: String {
        "EPG_" + String(key.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }

    /// The flag of the command line, without its two hyphens, such as `log-level`.
    package var flag: String { String(key.map { $0 == "." ? "-" : $0 }) }

    /// A setting with one value.
    init(
        _ key: String, isPath: Bool = false, allowed: String, usual: String? = nil,
        apply: @escaping @Sendable (inout ServiceConfiguration, String) -> Bool
    ) {
        self.key = key
        self.isPath = isPath
        self.allowed = allowed
        self.usual = usual
        isList = false
        self.apply = { configuration, values in values.count == 1 && apply(&configuration, values[0]) }
    }

    /// A setting with any number of values.
    init(
        list key: String, allowed: String,
        apply: @escaping @Sendable (inout ServiceConfiguration, [String]) -> Bool
    ) {
        self.key = key
        self.allowed = allowed
        self.apply = apply
        usual = nil
        isPath = false
        isList = true
    }

    /// A setting whose value is parsed; what can't be parsed isn't allowed.
    init<Value: Sendable>(
        _ key: String, isPath: Bool = false, allowed: String, usual: String? = nil,
        at place: any WritableKeyPath<ServiceConfiguration, Value> & Sendable,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(key, isPath: isPath, allowed: allowed, usual: usual) { configuration, text in
            guard let value = parse(text) else { return false }
            configuration[keyPath: place] = value
            return true
        }
    }

    /// The same for what has no value by default.
    init(
        _ key: String, isPath: Bool = false, allowed: String,
        atOptional place: any WritableKeyPath<ServiceConfiguration, String?> & Sendable,
        parse: @escaping @Sendable (String) -> String?
    ) {
        self.init(key, isPath: isPath, allowed: allowed, at: place) { text in parse(text).map(Optional.some) }
    }
}
