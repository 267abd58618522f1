extension XMLTVElement {
    /// An element that somebody makes, rather than reads.
    public init(_ name: String, attributes: [Attribute] = [], children: [Child] = []) {
        self.init(name: name)
        self.attributes = attributes
        self.children = children
    }

    /// An element that holds a text.
    public init(_ name: String, attributes: [Attribute] = [], text: String) {
        self.init(name, attributes: attributes, children: text.isEmpty ? [] : [.text(text)])
    }
}

extension XMLTVElement.Attribute {
    /// An attribute that somebody makes, rather than reads.
    public init(_ name: String, _ value: String) {
        self.init(name: name, value: value)
    }
}
