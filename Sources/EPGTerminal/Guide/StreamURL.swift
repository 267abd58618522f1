import EPGModel
import EPGRender

/// The URL of a stream on the network: a player can't mistake it for an option or a file.
struct StreamURL {
    let text: String

    /// Creates a URL from an entry of a playlist; `nil` if its scheme is not that of a network stream.
    init?(_ address: String) {
        if let address = HTTPAddress(address) {
            text = address.text
            return
        }
        let schemes = ["rtsp://", "rtsps://", "rtp://", "udp://", "rtmp://", "rtmps://", "srt://"]
        guard schemes.contains(where: { address.lowercased().hasPrefix($0) }),
            address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        text = address
    }
}
