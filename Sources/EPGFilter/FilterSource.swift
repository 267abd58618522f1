package import XMLTV

/// A guide that a filter reads.
package struct FilterSource {
    /// What it is called in messages.
    package let name: String
    /// Where its bytes come from.
    package let source: any ByteSource

    package init(name: String, source: any ByteSource) {
        self.name = name
        self.source = source
    }
}
