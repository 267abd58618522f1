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

/// A file that is opened when its first byte is asked for, so that a folder of thousands can be read one by one.
package struct DeferredSource: ByteSource {
    private let path: String
    private var file: FileSource?

    package init(path: String) {
        self.path = path
    }

    package mutating func read(
        into buffer: inout [UInt8], at offset: Int, upTo count: Int
    ) throws(ByteFault) -> Int {
        var opened: FileSource
        if let file {
            opened = file
        } else {
            do throws(SystemFault) {
                opened = try FileSource(path: path)
            } catch {
                throw .system(error)
            }
        }
        let got = try opened.read(into: &buffer, at: offset, upTo: count)
        // A file that was read to its end is closed.
        file = got == 0 ? nil : opened
        return got
    }
}
