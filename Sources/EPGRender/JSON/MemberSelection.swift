/// A set of JSON members to write for the objects of a list.
package protocol MemberSelection: OptionSet, Hashable, Sendable, CustomStringConvertible where RawValue == UInt32 {
    /// All members with their names.
    static var names: [(name: String, member: Self)] { get }
    /// The default members of a list.
    static var standard: Self { get }
}

extension MemberSelection {
    /// Parses comma-separated names in any order; `nil` if one is unknown.
    package init?(names text: String) {
        self = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let member = Self.names.first(where: { $0.name == name })?.member else { return nil }
            formUnion(member)
        }
    }

    /// The names of the members, sorted and comma-separated: equal sets have equal descriptions.
    package var description: String {
        Self.names.filter { isSuperset(of: $0.member) }.map(\.name).sorted().joined(separator: ",")
    }

    /// The sorted names of all members, for error messages.
    package static var allNames: String { names.map(\.name).sorted().joined(separator: ", ") }
}
