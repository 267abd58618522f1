/// The tags of a page, read back from its markup.
struct ViewsMarkup {
    /// Whether every element that was begun was ended, in order.
    private(set) var isBalanced = true
    /// The values of `style`.
    private(set) var styles: [Substring] = []

    /// - Precondition: `<`, `>` and `"` are escaped in texts and values.
    init(_ markup: String) {
        var open: [Substring] = []
        for part in markup.split(separator: "<").dropFirst() {
            guard let end = part.firstIndex(of: ">") else { isBalanced = false; continue }
            let tag = part[..<end]
            let name = tag.prefix { $0 != " " }
            if name.hasPrefix("!") { continue }
            if name.hasPrefix("/") {
                if open.popLast() != name.dropFirst() { isBalanced = false }
                continue
            }
            if let range = tag.firstRange(of: " style=\"") {
                styles.append(tag[range.upperBound...].prefix { $0 != "\"" })
            }
            if !["meta", "link", "img", "input", "br", "hr"].contains(name) { open.append(name) }
        }
        if !open.isEmpty { isBalanced = false }
    }
}
