import NIOCore

extension Document {
    /// A page.
    init(page bytes: [UInt8]) {
        self.init(.html, ByteBuffer(bytes: bytes))
    }
}
