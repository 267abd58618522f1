import XMLTV

/// Sees that no layer of a packed file unpacks to more than is allowed; shared by all layers of one file.
final class UnpackingMeter {
    private let limits: UnpackingLimits
    /// Bytes that were read of the packed file itself.
    fileprivate(set) var packed = 0

    init(_ limits: UnpackingLimits) {
        self.limits = limits
    }

    /// Checks how much one layer has unpacked altogether.
    func check(unpacked: Int) throws(ByteFault) {
        if unpacked > limits.size {
            throw .tooLarge("unpacked, it is larger than \(UnpackingLimits.words(limits.size))")
        }
        if unpacked > limits.freeSize, unpacked / max(1, limits.ratio) > packed {
            throw .tooLarge("it unpacks to more than \(limits.ratio) times its size, as archive bombs do")
        }
    }
}

/// A source whose bytes are counted.
struct MeteredSource<Base: ByteSource>: ByteSource {
    private var base: Base
    private let meter: UnpackingMeter

    init(_ base: Base, meter: UnpackingMeter) {
        self.base = base
        self.meter = meter
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let got = try base.read(into: &buffer, at: offset, upTo: count)
        meter.packed += got
        return got
    }
}
