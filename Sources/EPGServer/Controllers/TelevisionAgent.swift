/// Recognizes the browsers of televisions, and of devices that are connected to one, by their `User-Agent` header.
enum TelevisionAgent {
    /// What the headers of these browsers contain: Samsung, LG (two), Sharp and other televisions with NetCast, many smart
    /// televisions (three), receivers of HbbTV, Android TV (two), Sony, Chromecast, and Hisense.
    private static let marks = [
        "Tizen", "Web0S", "webOS", "NetCast", "SmartTV", "SMART-TV", "Smart-TV", "HbbTV", "Android TV", "GoogleTV",
        "BRAVIA", "CrKey",
        "VIDAA",
    ].map { Array($0.utf8) }

    /// The models of Fire TV begin with these letters, and have more of them: `AFTMM`, `AFTKA`.
    private static let fireTV = Array(" AFT".utf8)

    /// Returns whether a user agent is a television.
    ///
    /// - Complexity: O(*n*) in the number of bytes; about 0.2 µs for a usual header.
    static func isNamed(in header: String) -> Bool {
        header.utf8.withContiguousStorageIfAvailable { isNamed(in: Span(_unsafeElements: $0)) }
            ?? isNamed(in: Array(header.utf8).span)
    }

    private static func isNamed(in header: Span<UInt8>) -> Bool {
        func contains(_ text: [UInt8], at start: Int) -> Bool {
            guard start + text.count <= header.count else { return false }
            for offset in text.indices where header[start + offset] != text[offset] { return false }
            return true
        }
        for index in header.indices {
            switch header[index] {
            case UInt8(ascii: " "):
                let model = index + fireTV.count
                if contains(fireTV, at: index), model < header.count, 0x41...0x5A ~= header[model] { return true }
            case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "C"), UInt8(ascii: "G"), UInt8(ascii: "H"),
                UInt8(ascii: "N"),
                UInt8(ascii: "S"), UInt8(ascii: "T"), UInt8(ascii: "V"), UInt8(ascii: "W"), UInt8(ascii: "w"):
                if marks.contains(where: { contains($0, at: index) }) { return true }
            default: break
            }
        }
        return false
    }
}
