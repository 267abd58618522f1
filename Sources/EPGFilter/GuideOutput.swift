import XMLTV

/// A writer of a guide that delivers its output in pieces of about 64 KiB.
struct GuideOutput {
    private var writer = XMLTVWriter()
    private let send: ([UInt8]) throws -> Void

    init(_ send: @escaping ([UInt8]) throws -> Void) {
        self.send = send
    }

    mutating func begin(_ attributes: [XMLTVElement.Attribute]) throws {
        writer.begin(attributes: attributes)
        try sendIfFull()
    }

    mutating func write(_ record: XMLTVElement) throws {
        writer.write(record.withoutEmptyParts)
        try sendIfFull()
    }

    /// Writes a record that ``XMLTVWriter/bytes(of:indent:)`` has converted to bytes.
    mutating func write(bytes: some Collection<UInt8>) throws {
        writer.write(bytes: bytes)
        try sendIfFull()
    }

    mutating func end() throws {
        writer.end()
        try send(writer.takeBytes())
    }

    private mutating func sendIfFull() throws {
        if writer.count >= 1 << 16 { try send(writer.takeBytes()) }
    }
}
