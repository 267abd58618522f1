/// The bytes of a document in UTF-8, whatever it is written in.
///
/// The encoding is told by the first bytes and the XML declaration (XML 1.0, appendix F). UTF-8 and ASCII pass as they
/// are, and the scanner checks them; everything else goes through iconv.
struct DecodedSource {
    private var source: any ByteSource
    private var converter: Iconv?
    /// Bytes that were read and not yet passed on.
    private var waiting: [UInt8] = []
    private var waitingRange = 0..<0
    private var isDetected = false
    private var sourceEnded = false
    /// Whether the converter has given what it still held at the end.
    private var isFinished = false
    /// The encoding that is converted, or `nil`.
    private(set) var convertedFrom: String?

    private static let chunk = 64 << 10

    init(_ source: some ByteSource) {
        self.source = source
    }

    /// Puts UTF-8 into a buffer: at least one byte, or none at the end.
    mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        if !isDetected { try detect() }
        if let converter { return try convert(converter, into: &buffer, at: offset, upTo: count) }
        if !waitingRange.isEmpty {
            let taken = min(count, waitingRange.count)
            buffer.replaceSubrange(
                offset..<offset + taken, with: waiting[waitingRange.lowerBound..<waitingRange.lowerBound + taken])
            waitingRange = waitingRange.lowerBound + taken..<waitingRange.upperBound
            return taken
        }
        return try Self.read(&source, into: &buffer, at: offset, upTo: count)
    }

    private static func read(
        _ source: inout any ByteSource, into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        do throws(ByteFault) {
            return try source.read(into: &buffer, at: offset, upTo: count)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Reads the first bytes and decides.
    private mutating func detect() throws(XMLError.Reason) {
        isDetected = true
        waiting = [UInt8](repeating: 0, count: Self.chunk)
        var filled = 0
        while filled < 1024 {
            let got = try Self.read(&source, into: &waiting, at: filled, upTo: Self.chunk - filled)
            if got == 0 {
                sourceEnded = true
                break
            }
            filled += got
        }
        let detection = try EncodingDetection(Array(waiting[0..<filled]))
        waitingRange = detection.markLength..<filled
        guard let name = detection.conversion else { return }
        guard let converter = Iconv(from: name) else { throw .unknownEncoding(detection.displayName) }
        self.converter = converter
        convertedFrom = detection.displayName
    }

    private mutating func convert(
        _ converter: Iconv, into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(XMLError.Reason) -> Int {
        while true {
            if !waitingRange.isEmpty {
                let step = converter.convert(&waiting, waitingRange, to: &buffer, offset..<offset + count)
                waitingRange = waitingRange.lowerBound + step.consumed..<waitingRange.upperBound
                if step.produced > 0 { return step.produced }
                if step.outcome == .invalid { throw .invalidInEncoding(convertedFrom ?? "") }
                if step.outcome == .incompleteAtEnd, sourceEnded { throw .unexpectedEnd(inside: "within a character") }
            }
            if sourceEnded {
                guard !isFinished else { return 0 }
                isFinished = true
                return converter.finish(&buffer, offset..<offset + count)
            }
            let rest = waitingRange.count
            waiting.moveToFront(from: waitingRange.lowerBound, count: rest)
            let got = try Self.read(&source, into: &waiting, at: rest, upTo: Self.chunk - rest)
            if got == 0 { sourceEnded = true }
            waitingRange = 0..<rest + got
        }
    }
}
