/// Finds the ``XMLTVName`` of some bytes: a hash table of 256 places with linear probing.
struct NameTable: Sendable {
    /// Raw values of names; 0 in a free place.
    private let places: [UInt8]
    /// The first eight bytes of each name, padded with zeros.
    private let heads: [UInt64]
    private let texts: [[UInt8]]

    init() {
        var places = [UInt8](repeating: 0, count: 256)
        var heads: [UInt64] = []
        var texts: [[UInt8]] = []
        for name in XMLTVName.allCases {
            let bytes = Array("\(name.text)".utf8)
            texts.append(bytes)
            heads.append(bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64($1.offset * 8) })
            guard let first = bytes.first, let last = bytes.last else { continue }
            var place = Self.place(first: first, last: last, count: bytes.count)
            while places[place] != 0 { place = (place + 1) & 255 }
            places[place] = name.rawValue
        }
        self.places = places
        self.heads = heads
        self.texts = texts
    }

    /// The name that stands at an offset.
    ///
    /// - Precondition: `count > 0`, and eight bytes can be read from `start` on (the window is padded).
    @inline(__always)
    func name(in bytes: Span<UInt8>, at start: Int, count: Int) -> XMLTVName {
        let head = bytes.eightBytes(at: start) & (count >= 8 ? .max : (1 << UInt64(count &* 8)) &- 1)
        var place = Self.place(first: bytes[start], last: bytes[start &+ count &- 1], count: count)
        while true {
            let candidate = Int(places[place])
            if candidate == 0 { return .other }
            if heads[candidate] == head, matches(candidate, bytes, start, count) {
                return XMLTVName(rawValue: UInt8(candidate)) ?? .other
            }
            place = (place &+ 1) & 255
        }
    }

    /// Whether the bytes after the first eight are those of a name, and the length too.
    @inline(__always)
    private func matches(_ candidate: Int, _ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> Bool {
        guard texts[candidate].count == count else { return false }
        var index = 8
        while index < count {
            if texts[candidate][index] != bytes[start &+ index] { return false }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private static func place(first: UInt8, last: UInt8, count: Int) -> Int {
        (Int(first) &* 7 &+ Int(last) &* 29 &+ count &* 53) & 255
    }
}
