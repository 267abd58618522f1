import EPGRender
import Glibc

extension Terminal {
    /// The standard output of this process.
    ///
    /// `COLUMNS` counts where the output is no terminal. There are no colours where it is none, where `NO_COLOR` holds
    /// anything (https://no-color.org), or where `TERM` is `dumb`.
    static var standardOutput: Terminal { Terminal(of: STDOUT_FILENO) }

    /// Standard error, by the same rules.
    static var standardError: Terminal { Terminal(of: STDERR_FILENO) }

    private init(of descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        let announced = Environment["COLUMNS"].flatMap { Int($0) }
        let isColourful = isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
        let measured = isTerminal ? Terminal.measuredColumns(of: descriptor) ?? announced ?? 80 : announced
        self.init(columns: measured.map { min(max($0, 20), 2000) }, usesColours: isColourful)
    }

    private static func measuredColumns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// The variables of the environment.
enum Environment {
    /// A variable's value, or `nil` where it isn't set. Nothing here changes the environment.
    static subscript(name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
