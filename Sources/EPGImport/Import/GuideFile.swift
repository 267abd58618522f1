import EPGFiles
package import EPGJSON
public import XMLTV

/// An opened file that may be a guide: its decompressed bytes and their format.
public struct GuideFile {
    /// The name of the file in messages.
    public let name: String
    /// The format, detected from the first bytes.
    package let format: GuideFormat
    /// The encoding that the user specified; `nil` detects it. For a guide, the import options specify it.
    public var encoding: String?
    private var decompressed: PeekedSource<DecompressedSource>
    /// The innermost compression format; `nil` if the file is not compressed.
    fileprivate let compression: CompressionFormat?
    /// What a file of an unknown format is, as a noun phrase; `nil` if that is unknown, too.
    fileprivate let unknownContent: String?

    /// Opens a file and reads its first bytes, at most 4 KiB.
    ///
    /// The import reports read errors.
    ///
    /// - Parameters:
    ///   - source: The bytes of the file, compressed or not.
    ///   - name: The name of the file in messages.
    public init(_ source: some ByteSource, name: String = "") {
        self.name = name
        var source = DecompressedSource(source)
        compression = source.layers().last
        decompressed = PeekedSource(source)
        do throws(ByteFault) {
            let start = try decompressed.peek()
            format = GuideFormat(firstBytes: start)
            unknownContent = format == .unknown ? DocumentStart(Array(start)).content : nil
        } catch {
            format = .other
            unknownContent = nil
        }
    }

    /// Opens a file whose format is already known.
    package init(_ source: some ByteSource, name: String, format: GuideFormat) {
        self.name = name
        self.format = format
        (compression, unknownContent) = (nil, nil)
        decompressed = PeekedSource(DecompressedSource(source))
    }

    /// The decompressed bytes, converted to UTF-8 if ``encoding`` specifies the encoding of a playlist.
    ///
    /// The readers of XML and playlists detect all other encodings themselves.
    var bytes: any ByteSource {
        guard format == .playlist, let encoding else { return decompressed }
        return TextSource(decompressed, encoding: encoding)
    }

    /// Returns the decompressed text in UTF-8, for readers that support no other encoding.
    ///
    /// - Parameters:
    ///   - encoding: The encoding of the text; `nil` detects it.
    ///   - repairs: Whether U+FFFD replaces invalid sequences. Otherwise they are errors.
    func text(encoding: String?, repairs: Bool) -> TextSource {
        TextSource(decompressed, encoding: encoding, repairs: repairs)
    }
}

/// A regular file that is open only during each read, so that thousands can be read in turn.
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

/// An error for a file that can't be imported. The stored guide is unchanged.
public struct GuideFileError: Error, CustomStringConvertible, Sendable {
    /// The reason why a file can't be imported.
    package enum Reason: Hashable, Sendable {
        /// An HTML page in place of a guide.
        case htmlPage
        /// No bytes, or only white space, compressed in a format.
        case empty(CompressionFormat?)
        /// A playlist in place of a guide.
        case playlist
        /// A format other than XML, JSON, and M3U: a noun phrase for it, if it is known.
        case unknownFormat(String?)
        /// Invalid or unreadable XML.
        case xml(XMLError)
        /// Invalid or unreadable JSON.
        case json(JSONError)
        /// An invalid or unreadable playlist.
        case lineup(PlaylistError)
        /// The file is truncated: the error message, and the number of complete programmes before the end.
        case truncated(String, programmes: Int)
        /// The number of programmes that have no length and share their start with many others, and the number of all.
        case withoutTimes(Int, of: Int)
        /// Several files were given as one guide, and this one is not JSON.
        case mixed(file: String)
    }

    /// The reason why the file can't be imported.
    package let reason: Reason

    init(_ reason: Reason) {
        self.reason = reason
    }

    /// Creates the error for a guide whose XML can't be read further.
    ///
    /// - Parameters:
    ///   - programmes: The number of programmes before the error.
    ///   - stations: The number of station descriptions before the error.
    init(_ error: XMLError, in file: GuideFile, programmes: Int, stations: Int, isStrict: Bool) {
        switch file.format {
        case .htmlPage: reason = .htmlPage
        // A guide may start after invalid text. A strict reader reports that text.
        case .unknown
        where !isStrict && programmes == 0 && (error.isNotXML || error.endsOutsideElements && stations == 0):
            reason = .unknownFormat(file.unknownContent)
        case .empty where error.reason == .empty || error.isTruncated: reason = .empty(file.compression)
        default:
            reason =
                error.isTruncated && file.format == .xmltv
                ? .truncated("\(error)", programmes: programmes) : .xml(error)
        }
    }

    /// Creates the error for a guide whose JSON can't be read further.
    init(_ error: JSONError, programmes: Int) {
        reason = error.isTruncated ? .truncated("\(error)", programmes: programmes) : .json(error)
    }

    /// Whether the file exists but the system couldn't read it.
    public var isUnreadable: Bool {
        switch reason {
        case .xml(let error): error.reason.isSystemFault
        case .json(let error): error.isUnreadable
        case .lineup(let error): if case .unreadable(.system) = error.reason { true } else { false }
        default: false
        }
    }

    /// Whether the file is neither a damaged guide nor a damaged playlist, but something else.
    public var isOtherFile: Bool {
        switch reason {
        case .htmlPage, .unknownFormat: true
        case .xml(let error): error.isOfOtherDocument
        default: false
        }
    }

    /// Whether the file is truncated after complete programmes, which could be imported
    /// (``ImportOptions/acceptsTruncation``).
    public var hasIntactPart: Bool {
        if case .truncated(_, let programmes) = reason { programmes > 0 } else { false }
    }

    /// Whether an import can accept the guide nevertheless (``ImportOptions/acceptsMissingTimes``).
    package var isWithoutTimes: Bool {
        if case .withoutTimes = reason { true } else { false }
    }

    /// Whether the file is a playlist that is probably truncated, and that an import can accept nevertheless.
    package var isTruncatedPlaylist: Bool {
        if case .lineup(let error) = reason, case .truncated = error.reason { true } else { false }
    }

    /// The error message, with the line number if there is one.
    public var description: String {
        switch reason {
        case .htmlPage: "line 1: this is an HTML page, not a guide; its URL may require a login or be out of date"
        case .empty(let compression): "the \(compression.map { "\($0.rawValue) " } ?? "")file is empty"
        case .playlist: "line 1: this is a playlist (M3U), not a guide"
        case .unknownFormat(let content):
            "line 1: unknown format\(content.map { ": \($0)" } ?? ""); supported are XMLTV, JSON (EPG JSON, Schedules Direct, TVmaze), and playlists (M3U), "
                + "compressed or not"
        // The message concerns the file, not a line.
        case .xml(let error): error.noGuide ?? error.description
        case .json(let error): error.description
        case .lineup(let error): error.description
        case .truncated(let message, 0): message
        case .truncated(let message, let programmes):
            "\(message); \(programmes == 1 ? "1 programme before that is" : "\(programmes) programmes before that are") "
                + "complete"
        case .withoutTimes(let count, let total):
            "\(count) of \(total) programmes have no length and share their start with more than a dozen others, so their times are "
                + "implausible"
        case .mixed(let file): "\(file) is not JSON; several files form one guide only if all of them are JSON"
        }
    }
}

extension XMLError {
    /// Whether the error means that the text isn't XML at all, rather than that it can't be read or is rejected.
    fileprivate var isNotXML: Bool {
        switch reason {
        case .unreadable, .unexpectedEnd, .limit, .unknownEncoding, .contradictoryEncoding, .entityDeclaration: false
        default: true
        }
    }

    /// Whether the document is truncated where no element of a guide is open.
    fileprivate var endsOutsideElements: Bool {
        if case .unexpectedEnd(let place) = reason { place.hasPrefix("before ") } else { false }
    }

    /// Whether the error means that the document or archive has no guide.
    fileprivate var isOfOtherDocument: Bool {
        switch reason {
        case .notXMLTV, .unreadable(.noGuide): true
        default: false
        }
    }

    /// The message for an archive without a guide.
    fileprivate var noGuide: String? {
        guard case .unreadable(.noGuide(let message)) = reason else { return nil }
        return message
    }

    /// Whether the document is truncated. The records read before the end are complete.
    var isTruncated: Bool {
        switch reason {
        case .unexpectedEnd, .unreadable(.truncated): true
        default: false
        }
    }
}

extension XMLError.Reason {
    fileprivate var isSystemFault: Bool {
        if case .unreadable(.system) = self { true } else { false }
    }
}
