package import XMLTV

/// The bytes of a guide, unpacked if they are packed: with gzip, xz, bzip2, zstd or as a zip file.
///
/// The first bytes tell, never a name. Bytes that aren't packed come as they are, read straight from the source below
/// after the first 4 KiB. Of a zip file the first entry comes whose bytes look like a guide. A file that is packed
/// several times over, such as a gzip file within a zip file, is unpacked layer by layer.
///
/// All that could be unpacked is given before a fault is thrown. Memory is bounded by ``UnpackingLimits``.
package struct UnpackedSource: ByteSource {
    private var source: any ByteSource
    private let limits: UnpackingLimits
    private var opened: [PackedFormat]?

    /// The bytes of a source, unpacked within limits; nothing is read yet.
    package init(_ base: some ByteSource, limits: UnpackingLimits = UnpackingLimits()) {
        source = base
        self.limits = limits
    }

    /// How the bytes are packed, the outermost layer first; empty for plain bytes. Reads the first bytes.
    package mutating func layers() -> [PackedFormat] {
        if let opened { return opened }
        var formats: [PackedFormat] = []
        source = Self.open(source, limits, &formats)
        opened = formats
        return formats
    }

    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        if opened == nil { _ = layers() }
        return try source.read(into: &buffer, at: offset, upTo: count)
    }

    /// The source that gives the unpacked bytes, or throws why it can't.
    private static func open(
        _ base: some ByteSource, _ limits: UnpackingLimits, _ formats: inout [PackedFormat]
    ) -> any ByteSource {
        var peeked = PeekedSource(base)
        guard let format = format(of: &peeked) else { return peeked }
        let meter = UnpackingMeter(limits)
        return unpack(MeteredSource(peeked, meter: meter), format, limits, meter, &formats)
    }

    private static func unpack(
        _ source: some ByteSource, _ format: PackedFormat, _ limits: UnpackingLimits, _ meter: UnpackingMeter,
        _ formats: inout [PackedFormat]
    ) -> any ByteSource {
        formats.append(format)
        guard formats.count <= limits.layers else {
            return FailedSource(.tooLarge("it is packed more than \(limits.layers) times over"))
        }
        do throws(ByteFault) {
            guard let method = format.method else {
                return inside(try ZipSource(source, limits: limits, meter: meter), limits, meter, &formats)
            }
            let layer = try PackedSource(format, method, of: source, limits: limits, meter: meter)
            return inside(layer, limits, meter, &formats)
        } catch {
            return FailedSource(error)
        }
    }

    /// What a layer holds, unpacked if that is packed again.
    private static func inside(
        _ layer: some ByteSource, _ limits: UnpackingLimits, _ meter: UnpackingMeter, _ formats: inout [PackedFormat]
    ) -> any ByteSource {
        var peeked = PeekedSource(layer)
        guard let format = format(of: &peeked) else { return peeked }
        return unpack(peeked, format, limits, meter, &formats)
    }

    private static func format(of source: inout PeekedSource<some ByteSource>) -> PackedFormat? {
        do throws(ByteFault) {
            return PackedFormat(firstBytes: try source.peek())
        } catch {
            // Reading throws it again.
            return nil
        }
    }
}

/// A source that can't be read.
private struct FailedSource: ByteSource {
    private let fault: ByteFault

    init(_ fault: ByteFault) {
        self.fault = fault
    }

    func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int { throw fault }
}
