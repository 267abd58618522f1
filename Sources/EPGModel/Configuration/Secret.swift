/// A text that nobody else may see, or the place where it is kept. What it is never gets into a log or onto a screen.
package enum Secret: Hashable, Sendable {
    /// The text itself, as it stands in the settings.
    case text(String)
    /// The first line of a file, without blanks around it.
    case file(path: String)
    /// A variable of the environment.
    case environment(String)
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where it is kept, never what it is.
    package var description: String {
        switch self {
        case .text: "(hidden)"
        case .file(let path): "(the first line of \(path))"
        case .environment(let name): "(the variable \(name))"
        }
    }

    package var debugDescription: String { description }

    /// Without the text, which `dump` and tests that tell differences would print.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// A field that is sent with a request (RFC 9110, 5), whose value may be a secret.
package struct SecretField: Hashable, Sendable {
    /// A token of RFC 9110, 5.6.2, such as `X-Key`.
    package var name: String
    package var value: Secret

    package init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}
