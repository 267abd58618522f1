internal import Glibc

/// What this machine is called (uname(2)).
package enum MachineName {
    /// Empty where it can't be told.
    package static var current: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "" }
        return withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
