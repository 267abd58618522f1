package import XMLTV

/// A file that can't be read as a playlist, with a sentence for people.
package struct PlaylistError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case unreadable(ByteFault)
        case htmlPage
        /// It is the list of a stream's pieces or variants (HTTP Live Streaming, RFC 8216), not of channels.
        case streamPlaylist
        case notPlaylist
        /// It has no entry that can be used.
        case noChannels
        /// It has more entries than this.
        case tooManyEntries(Int)
        /// It has more bytes than this.
        case tooLong(Int)
        /// Its channels take more bytes of memory than this.
        case tooMuchMemory(Int)
    }

    package let reason: Reason
    /// From 1; 0 where it concerns no line.
    package let line: Int

    /// One sentence, with the line where there is one.
    package var description: String { line > 0 ? "line \(line): \(sentence)" : sentence }

    private var sentence: String {
        switch reason {
        case .unreadable(let fault): fault.words
        case .htmlPage:
            "this is an HTML page, not a playlist; its address may ask for a login or be out of date"
        case .streamPlaylist:
            "this is the playlist of one stream (HLS), not a list of channels; import the list that names it"
        case .notPlaylist: "this is no playlist (M3U): it begins with neither #EXTM3U nor #EXTINF nor an address"
        case .noChannels: "this playlist has no channels, so nothing of it is taken; check where it comes from"
        case .tooManyEntries(let limit): "this playlist has more than \(limit) entries; split it or filter it first"
        case .tooMuchMemory(let limit):
            "the channels of this playlist take more than \(limit >> 20) MiB of memory; split it or filter it first"
        case .tooLong(let limit): "this playlist is longer than \(limit >> 20) MiB; split it or filter it first"
        }
    }
}
