import XMLTV

/// Writes a guide to where the bytes are wanted, some ten thousand of them at a time.
struct GuideOutput {
    private var writer = XMLTVWriter()
    private let send: ([UInt8]) throws -> Void

    init(_ send: @escaping ([UInt8]) throws -> Void) {
        self.send = send
    }

    mutating func begin(_ attributes: [XMLTVElement.Attribute]) throws {
        writer.begin(attributes: attributes)
        try sendIfMany()
    }

    mutating func write(_ record: XMLTVElement) throws {
        writer.write(record.withoutEmptyParts)
        try sendIfMany()
    }

    /// Writes a record that was turned into bytes before.
    mutating func write(bytes: some Collection<UInt8>) throws {
        writer.write(bytes: bytes)
        try sendIfMany()
    }

    mutating func end() throws {
        writer.end()
        try send(writer.takeBytes())
    }

    private mutating func sendIfMany() throws {
        if writer.count >= 1 << 16 { try send(writer.takeBytes()) }
    }
}
