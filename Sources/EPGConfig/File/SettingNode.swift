/// A part of a file with settings, and where it begins.
struct SettingNode {
    enum Content {
        /// `key:` and `key: ~`.
        case nothing
        /// A plain or quoted text.
        case text(String)
        case list([SettingNode])
        case mapping([Member])
        /// What can't be taken, and was told already.
        case refused
    }

    /// One `key: value`.
    struct Member {
        let key: String
        /// The line of the key.
        let line: Int
        let value: SettingNode
    }

    /// 1 for the first one.
    let line: Int
    let content: Content

    /// The text, where it is one.
    var text: String? {
        guard case .text(let text) = content else { return nil }
        return text
    }
}
