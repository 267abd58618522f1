import EPGImport
import EPGRender
import XMLTV

/// What a person named, sorted into guides and playlists by what the bytes say.
///
/// All files in JSON are one guide, because that of Schedules Direct comes in several; every other file is one.
struct GuideInputs {
    /// A guide or a playlist.
    struct Piece {
        let name: String
        let files: [GuideFile]
        let isPlaylist: Bool
        let progress: Progress?
    }

    private let inputs: [GuideInput]

    /// - Parameter names: Paths of files or folders; `-` is standard input.
    /// - Throws: ``CommandFailure/Code/noInput`` for what isn't there.
    init(_ names: [String]) throws(CommandFailure) {
        var inputs: [GuideInput] = []
        for name in names { inputs += try GuideInput.inputs(named: name) }
        self.inputs = inputs
    }

    /// Opens what was named, one after the other: guides in the order in which they were named, those in JSON behind them,
    /// playlists last.
    func forEach(_ body: (Piece) throws -> Void) throws {
        var json: [GuideFile] = []
        var playlists: [Piece] = []
        for input in inputs {
            let (file, progress) = try input.open()
            guard file.format == .json else {
                let piece = Piece(
                    name: input.name, files: [file], isPlaylist: file.format == .playlist, progress: progress)
                if piece.isPlaylist { playlists.append(piece) } else { try body(piece) }
                continue
            }
            // Read later, together with the others: a folder may hold more files than can be open at once.
            if let path = input.path, input.byteCount != nil {
                json.append(GuideFile(DeferredSource(path: path), name: input.name, format: .json))
            } else {
                json.append(file)
            }
        }
        if let first = json.first {
            let others = json.count - 1
            let name = others == 0 ? first.name : "\(first.name) and \(Wording.count(others, "more file"))"
            try body(Piece(name: name, files: json, isPlaylist: false, progress: nil))
        }
        // Channels are matched with the stations of all guides.
        for playlist in playlists { try body(playlist) }
    }
}
