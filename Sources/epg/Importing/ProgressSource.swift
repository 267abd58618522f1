import XMLTV

/// Bytes whose reading is told to a ``Progress``.
struct ProgressSource<Base: ByteSource>: ByteSource {
    private var base: Base
    let progress: Progress

    init(_ base: Base, progress: Progress) {
        self.base = base
        self.progress = progress
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let got = try base.read(into: &buffer, at: offset, upTo: count)
        progress.advance(by: got)
        return got
    }
}
