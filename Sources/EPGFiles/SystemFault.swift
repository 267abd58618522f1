#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A failed system call.
public struct SystemFault: Error, Hashable, Sendable {
    /// The `errno` of the call.
    public let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The fault of the last system call of this thread.
    package static var last: SystemFault { SystemFault(number: errno) }
}

extension SystemFault: CustomStringConvertible {
    /// The system's error message, such as "No such file or directory".
    public var description: String {
        // `strerror` returns a null-terminated string that stays valid until the next call on this thread.
        unsafe String(cString: strerror(number))
    }
}
