package import EPGModel

/// What `tv_grep` is asked for on its command line, where the order of the arguments counts.
///
///     [-i] [--output FILE] (TEST [[--and] TEST | --or TEST]… | REGEXP) [FILE]…
package struct GrepArguments {
    /// Which programmes are wanted.
    package internal(set) var expression = GrepExpression()
    /// The guides; none means standard input.
    package internal(set) var files: [String] = []
    /// Where the result goes; `nil` means standard output.
    package internal(set) var output: String?
    /// Whether help was asked for; nothing else counts then.
    package internal(set) var wantsHelp = false

    /// Reads the arguments.
    ///
    /// Long options may be cut short as long as they are unambiguous. `--not` turns the test behind it into its opposite,
    /// `--and` may be left out and binds closer than `--or`. Case is ignored everywhere, wherever `-i` stands.
    ///
    /// - Parameters:
    ///   - arguments: Without the name of the command.
    ///   - now: What the time `now` is.
    package init(_ arguments: [String], now: Instant) throws(GrepUsageError) {
        var reader = GrepArgumentReader(arguments, now: now, ignoresCase: false)
        self = try reader.read()
        if reader.hasIgnoreCase {
            reader = GrepArgumentReader(arguments, now: now, ignoresCase: true)
            self = try reader.read()
        }
    }

    init() {}
}

/// Why arguments make no expression.
package enum GrepUsageError: Error, Hashable, Sendable {
    case unknownOption(String)
    case ambiguousOption(String, [String])
    case missingArgument(option: String, what: String)
    /// The option can only be asked whether it is there: its argument has to be empty.
    case argumentNotEmpty(option: String)
    case repeatedOutput
    case notBeforeNothing
    case orBehindNothing
    case noTest
    case badPattern(String, reason: String)
    case badTime(option: String, String)
    /// Perl code.
    case code(String)
}

extension GrepUsageError: CustomStringConvertible {
    /// What is wrong, and what to do, in English.
    package var description: String {
        switch self {
        case .unknownOption(let option): "The option \(option) is unknown. See 'epg filter grep --help'."
        case .ambiguousOption(let option, let all):
            "The option \(option) can mean \(all.joined(separator: ", ")). Write more of it."
        case .missingArgument(let option, let what): "\(option) needs \(what) behind it."
        case .argumentNotEmpty(let option):
            "\(option) only asks whether there is one. Write \(option) '' for it."
        case .repeatedOutput: "--output stands twice. Give one file."
        case .notBeforeNothing: "--not needs a test behind it, such as --not --title News."
        case .orBehindNothing: "--or needs a test before it, such as --title News --or --title Weather."
        case .noTest: "There is no test and no regular expression. Write for example --title News, or News."
        case .badPattern(let text, let reason): "\"\(text)\" is no regular expression (\(reason))."
        case .badTime(let option, let text):
            "\(option): \"\(text)\" is no time. Write now, 2026-03-29T20:00+01:00 or 20260329200000 +0100."
        case .code(let text):
            "--eval \"\(text)\": Perl can't be run. Only 'scalar keys %$_ > 5' is understood, with any comparison "
                + "and number. Use the other tests."
        }
    }
}
