package import XMLTV

/// Why a filter can't go on.
package enum FilterError: Error, Hashable, Sendable {
    /// A guide isn't well-formed, or its bytes can't be had.
    case unreadable(guide: String, XMLError)
    /// A guide would be split into more files than this.
    case tooManyFiles(Int)
    /// The name that the template gives is none that a file can have.
    case badFileName(String)
}

extension FilterError: CustomStringConvertible {
    /// What is wrong, where, and what to do, in English.
    package var description: String {
        switch self {
        case .unreadable(let guide, let error): "\(guide): \(error)"
        case .tooManyFiles(let limit):
            "The guide would be split into more than \(limit) files. Use a template with fewer directives."
        case .badFileName(let name):
            "\(name.prefix(200)) can't be the name of a file. Use a template that gives shorter names."
        }
    }
}
