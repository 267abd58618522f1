import EPGCalendar
package import EPGModel
import XMLTV

/// The parsed command line of `tv_grep`, in which the order of arguments matters.
///
///     [-i] [--output FILE] (TEST [[--and] TEST | --or TEST]… | REGEXP) [FILE]…
package struct GrepArguments {
    /// The programmes to keep.
    package internal(set) var expression = GrepExpression()
    /// The guides; empty for standard input.
    package internal(set) var files: [String] = []
    /// The output file; `nil` for standard output.
    package internal(set) var output: String?
    /// Whether help was requested. Everything else is then ignored.
    package internal(set) var wantsHelp = false

    /// Parses the arguments.
    ///
    /// Long options may be abbreviated to any unambiguous prefix. `--not` negates the next test. `--and` is optional
    /// and has higher precedence than `--or`. `-i` in any position makes all patterns ignore case.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the command name.
    ///   - now: The current time, to which relative times refer.
    /// - Throws: ``GrepUsageError``.
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

/// The reason why arguments are not a valid expression.
package enum GrepUsageError: Error, Hashable, Sendable {
    /// The option, as written.
    case unknownOption(String)
    /// A prefix of several options, and these options.
    case ambiguousOption(String, [String])
    /// An option without its argument, and what the argument must be.
    case missingArgument(option: String, what: String)
    /// A test for presence only, whose argument must be empty.
    case argumentNotEmpty(option: String)
    /// More than one `--output`.
    case repeatedOutput
    /// `--not` without a test after it.
    case missingTestAfterNot
    /// `--or` without a test before it.
    case missingTestBeforeOr
    /// Neither a test nor a regular expression.
    case missingTest
    /// An invalid regular expression, and the parser's message.
    case badPattern(String, reason: String)
    /// An invalid time.
    case badTime(option: String, String)
    /// Unsupported Perl code.
    case unsupportedCode(String)
}

/// A parser of the arguments of `tv_grep`.
private struct GrepArgumentReader {
    private static let flags = [
        "--ignore-case", "--help", "--output", "--channel-id", "--channel-name", "--channel-id-exp", "--on-after",
        "--on-before", "--eval", "--and", "--or", "--not",
    ]
    private static let options = flags + GrepField.all.keys.sorted()

    private var rest: ArraySlice<String>
    private let now: Instant
    private let ignoresCase: Bool
    private var result = GrepArguments()
    private var terms: [GrepTerm] = []
    private var isNegated = false
    private var pattern: String?

    /// Whether `-i` was among the arguments, so that preceding patterns must be parsed again.
    private(set) var hasIgnoreCase = false

    /// - Parameter ignoresCase: Whether patterns ignore case.
    init(_ arguments: [String], now: Instant, ignoresCase: Bool) {
        rest = arguments[...]
        self.now = now
        self.ignoresCase = ignoresCase
    }

    /// Parses all arguments.
    mutating func read() throws(GrepUsageError) -> GrepArguments {
        while let argument = rest.popFirst() {
            if argument == "--" {
                for file in rest { addWord(file) }
                rest = []
            } else if let option = try option(argument) {
                try handle(option)
                if result.wantsHelp { return result }
            } else if isNegated {
                throw .missingTestAfterNot
            } else {
                addWord(argument)
            }
        }
        guard !isNegated else { throw .missingTestAfterNot }
        if let pattern {
            terms = [GrepTerm(test: .anything(try self.pattern(pattern)), isNegated: false)]
        }
        if !terms.isEmpty { result.expression.alternatives.append(terms) }
        guard !result.expression.alternatives.isEmpty else { throw .missingTest }
        return result
    }

    /// Handles a word that is not an option: the regular expression if no test precedes it, otherwise a guide.
    private mutating func addWord(_ word: String) {
        if pattern == nil, terms.isEmpty, result.expression.alternatives.isEmpty {
            pattern = word
        } else {
            result.files.append(word)
        }
    }

    private static func matches(_ argument: String) -> [String] {
        options.contains(argument) ? [argument] : options.filter { $0.hasPrefix(argument) }
    }

    /// Returns the full name of the option that an argument names or abbreviates, or `nil` if it is not an option.
    private func option(_ argument: String) throws(GrepUsageError) -> String? {
        switch argument {
        case "-i": return "--ignore-case"
        case "-h": return "--help"
        case "-and": return "--and"
        case "-or", "-o": return "--or"
        case "-not", "!": return "--not"
        case "-e": return "--eval"
        case "-": return nil
        default: break
        }
        guard argument.hasPrefix("-") else { return nil }
        let matches = argument.hasPrefix("--") ? GrepArgumentReader.matches(argument) : []
        guard let option = matches.first else { throw .unknownOption(argument) }
        guard matches.count == 1 else { throw .ambiguousOption(argument, matches) }
        return option
    }

    private mutating func handle(_ option: String) throws(GrepUsageError) {
        switch option {
        case "--help": result.wantsHelp = true
        case "--and": break
        case "--ignore-case": hasIgnoreCase = true
        case "--output":
            guard result.output == nil else { throw .repeatedOutput }
            result.output = try argument(of: option, "a file")
        case "--not": isNegated = true
        case "--or":
            guard !terms.isEmpty else { throw .missingTestBeforeOr }
            result.expression.alternatives.append(terms)
            terms = []
        default:
            // A word before the first test is a guide rather than a regular expression.
            if let pattern {
                result.files.insert(pattern, at: 0)
                self.pattern = nil
            }
            terms.append(GrepTerm(test: try test(option), isNegated: isNegated))
            isNegated = false
        }
    }

    private mutating func test(_ option: String) throws(GrepUsageError) -> GrepTest {
        switch option {
        case "--channel-id": return .channelID(try argument(of: option, "the identifier of a channel"))
        case "--channel-id-exp": return .channelIDPattern(try patternArgument(of: option))
        case "--channel-name":
            result.expression.namePatterns.append(try patternArgument(of: option))
            return .channelName(result.expression.namePatterns.count - 1)
        case "--on-after": return .onAfter(try timeArgument(of: option))
        case "--on-before": return .onBefore(try timeArgument(of: option))
        case "--eval": return try countTest(try argument(of: option, "a comparison"))
        default: break
        }
        guard let field = GrepField.all[option] else { throw .unknownOption(option) }
        switch field.kind {
        case .attribute, .text: return .field(field, try patternArgument(of: option))
        case .mark: return .field(field, try pattern(""))
        case .presence:
            guard try argument(of: option, "an empty argument, ''").isEmpty else {
                throw .argumentNotEmpty(option: option)
            }
            return .field(field, try pattern(""))
        }
    }
}

// MARK: - Arguments of options

extension GrepArgumentReader {
    private mutating func argument(of option: String, _ what: String) throws(GrepUsageError) -> String {
        guard let argument = rest.popFirst() else { throw .missingArgument(option: option, what: what) }
        return argument
    }

    private mutating func patternArgument(of option: String) throws(GrepUsageError) -> GrepPattern {
        try pattern(try argument(of: option, "a regular expression"))
    }

    private func pattern(_ text: String) throws(GrepUsageError) -> GrepPattern {
        do {
            return try GrepPattern(text, ignoresCase: ignoresCase)
        } catch {
            throw .badPattern(text, reason: "\(error)")
        }
    }

    /// Parses a time in XMLTV format or as a time expression, as seconds since 1970. A time without a zone is in UTC.
    private mutating func timeArgument(of option: String) throws(GrepUsageError) -> Int64 {
        let text = try argument(of: option, "a time")
        do throws(XMLTVTimeError) {
            return try XMLTVTime(text).secondsSince1970
        } catch {
            do throws(TimeExpressionError) {
                return try TimeExpression.parse(text, now: now, zone: .utc).secondsSince1970
            } catch {
                throw .badTime(option: option, text)
            }
        }
    }

    ///     scalar keys %$_ (> | < | >= | <= | == | !=) NUMBER
    private func countTest(_ code: String) throws(GrepUsageError) -> GrepTest {
        let words = code.split { $0 == " " || $0 == "\t" }
        guard words.count == 5, words[0] == "scalar", words[1] == "keys", words[2] == "%$_",
            let comparison = CountComparison(rawValue: String(words[3])), let number = Int(words[4])
        else { throw .unsupportedCode(code) }
        return .fieldCount(comparison, number)
    }
}
