public import XMLTV

/// A file that may be a guide, opened: its bytes unpacked, and what they are.
public struct GuideFile {
    /// What it is called in messages.
    public let name: String
    /// What its first bytes say.
    package let format: GuideFormat
    /// The encoding that a person says it is in; `nil` leaves it to its bytes. Of a guide, the options of the import say it.
    public var encoding: String?
    private var unpacked: PeekedSource<UnpackedSource>

    /// Reads the first bytes of a file.
    ///
    /// What can't be read shows itself when it is imported.
    public init(_ source: some ByteSource, name: String = "") {
        self.name = name
        unpacked = PeekedSource(UnpackedSource(source))
        do throws(ByteFault) {
            format = GuideFormat(firstBytes: try unpacked.peek())
        } catch {
            format = .other
        }
    }

    /// A file of which the format is known already.
    package init(_ source: some ByteSource, name: String, format: GuideFormat) {
        self.name = name
        self.format = format
        unpacked = PeekedSource(UnpackedSource(source))
    }

    /// The unpacked bytes: as they are written, or in UTF-8 where ``encoding`` says what a playlist is written in.
    ///
    /// The readers of XML and of playlists tell every other encoding themselves.
    var bytes: any ByteSource {
        guard format == .playlist, let encoding else { return unpacked }
        return TextSource(unpacked, encoding: encoding)
    }

    /// The unpacked text in UTF-8, for readers that know no other encoding.
    ///
    /// - Parameters:
    ///   - encoding: What it is written in; `nil` leaves it to the bytes.
    ///   - repairs: Whether what is no character becomes U+FFFD; else it is a fault.
    func text(encoding: String?, repairs: Bool) -> TextSource {
        TextSource(unpacked, encoding: encoding, repairs: repairs)
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
