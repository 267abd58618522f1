import EPGModel
import EPGRender

/// The address of a stream that a player may get: nothing that it could take for an option or a file.
struct StreamAddress {
    let text: String

    /// An address of the network; `nil` for any other.
    init?(_ address: String) {
        if let address = HTTPAddress(address) {
            text = address.text
            return
        }
        let schemes = ["rtsp://", "rtp://", "udp://", "rtmp://"]
        guard schemes.contains(where: { address.lowercased().hasPrefix($0) }),
            address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        text = address
    }
}
