import Glibc

/// Why bytes can't be put down or read again.
package enum SpoolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// All the room that was set aside is in use.
    case noRoom
    /// The system refuses, with this `errno`.
    case system(Int32)

    init(_ number: Int32) {
        self = .system(number)
    }

    package var description: String {
        switch self {
        case .noRoom: "the room that is set aside for spooled files is in use"
        case .system(let number): "a spooled file can't be used: \(String(cString: strerror(number)))"
        }
    }
}
