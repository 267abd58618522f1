internal import CProcess

/// What the process was called with.
package enum ProcessArguments {
    /// Whether all of them are UTF-8. A file whose name isn't can't be told from others once the name is repaired.
    package static let areUTF8: Bool = {
        var first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = cprocess_arguments(&first)
        return UnsafeBufferPointer(start: first, count: Int(count)).allSatisfy { argument in
            argument.map { String(validatingCString: $0) != nil } ?? true
        }
    }()

    /// The name it was called by, and the arguments; what isn't UTF-8 is repaired as `String(cString:)` has it.
    ///
    /// Swift's `CommandLine` has none where `/proc/self/maps` can't be opened, for want of descriptors or in a root without
    /// `/proc`; a program would then take it that it was given none.
    package static let all: [String] = {
        var first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = cprocess_arguments(&first)
        return UnsafeBufferPointer(start: first, count: Int(count)).compactMap { $0.map { String(cString: $0) } }
    }()
}
