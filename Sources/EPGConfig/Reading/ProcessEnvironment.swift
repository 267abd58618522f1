import Glibc

/// The environment of the process.
package enum ProcessEnvironment {
    /// The variables by their names; what isn't UTF-8 is left out.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            next += 1
            guard let text = String(validatingCString: entry), let sign = text.firstIndex(of: "=") else { continue }
            variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        return variables
    }
}
