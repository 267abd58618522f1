/// How EPG JSON writes the names of elements, so that none is taken for something else.
enum EPGJSONName {
    /// The member that holds the text of an element.
    static let text = "text"
    /// The member that holds texts and elements in their order, where that says something.
    static let content = "content"
    /// The member of a guide's first line that says that a line of the type `end` closes it.
    static let end = "end"

    /// Members of every line, and of elements, that are no child elements.
    private static let reserved: Set<String> = ["type", "version", "id", text, content, end]

    /// The key of a child element: its name, behind a `<` where the name means something else.
    static func key(of name: String) -> String {
        let first = name.utf8.first
        let isSpecial = first == UInt8(ascii: "@") || first == UInt8(ascii: "<") || reserved.contains(name)
        return isSpecial ? "<" + name : name
    }

    /// The name of the child element that a key stands for.
    static func name(of key: String) -> String {
        key.utf8.first == UInt8(ascii: "<") ? String(Substring(key.utf8.dropFirst())) : key
    }
}
