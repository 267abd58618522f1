package import XMLTV

/// A file that may be a guide, opened: its bytes unpacked, and what they are.
package struct GuideFile {
    /// What it is called in messages.
    package let name: String
    /// What its first bytes say.
    package let format: GuideFormat
    var bytes: PeekedSource<UnpackedSource>

    /// Reads the first bytes of a file.
    ///
    /// What can't be read shows itself when it is imported.
    package init(_ source: some ByteSource, name: String = "") {
        self.name = name
        bytes = PeekedSource(UnpackedSource(source))
        do throws(ByteFault) {
            format = GuideFormat(firstBytes: try bytes.peek())
        } catch {
            format = .other
        }
    }

    /// A file of which the format is known already.
    package init(_ source: some ByteSource, name: String, format: GuideFormat) {
        self.name = name
        self.format = format
        bytes = PeekedSource(UnpackedSource(source))
    }
}

/// A regular file that is open only while it is read from, so that thousands can be read by turns.
package struct DeferredSource: ByteSource {
    private let path: String
    private var offset = 0

    package init(path: String) {
        self.path = path
    }

    package mutating func read(
        into buffer: inout [UInt8], at place: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        var file: FileSource
        do throws(SystemFault) {
            file = try FileSource(path: path, from: offset)
        } catch {
            throw .system(error)
        }
        let got = try file.read(into: &buffer, at: place, upTo: count)
        offset += got
        return got
    }
}
