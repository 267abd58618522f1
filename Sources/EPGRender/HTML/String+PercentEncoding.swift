extension String {
    /// The text with everything but unreserved characters (RFC 3986, 2.3) percent-encoded.
    package var percentEncoded: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(
                    contentsOf: (String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)).uppercased().utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
