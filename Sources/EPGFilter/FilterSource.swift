package import XMLTV

/// A guide that a filter reads.
package struct FilterSource {
    /// What it is called in messages.
    package let name: String
    /// Where its bytes come from.
    package let source: any ByteSource

    /// A guide by the name that messages call it, and its bytes.
    package init(name: String, source: any ByteSource) {
        self.name = name
        self.source = source
    }
}
