/// How a program ended that brought no guide.
package enum CommandEnding: Hashable, Sendable {
    /// With an exit code other than 0.
    case exit(Int32)
    /// By a signal.
    case signal(Int32)
    /// It ran longer than so many seconds and was ended.
    case timedOut(seconds: Int)
}

extension CommandEnding: CustomStringConvertible {
    /// Such as `failed with exit code 2`.
    package var description: String {
        switch self {
        case .exit(let code): "failed with exit code \(code)"
        case .signal(let number): "was ended by signal \(number)"
        case .timedOut(let seconds): "didn't end within \(seconds) seconds"
        }
    }
}
