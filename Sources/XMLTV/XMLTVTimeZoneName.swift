/// What a zone that was written as a name or an offset means.
struct XMLTVTimeZoneName: Hashable, Sendable {
    /// Seconds ahead of UTC.
    let seconds: Int
    /// Whether the name has other meanings, too.
    let isAmbiguous: Bool

    init(seconds: Int, isAmbiguous: Bool) {
        self.seconds = seconds
        self.isAmbiguous = isAmbiguous
    }

    /// The meaning of a name, or `nil` when it is unknown.
    init?(_ name: Key) {
        guard let zone = XMLTVTimeZoneName.known[name] else { return nil }
        self = zone
    }

    /// The abbreviations that feeds use.
    ///
    /// BST is British Summer Time by the DTD. IST (India, Ireland, Israel), CST (America, China, Cuba), MST (America,
    /// Malaysia, Myanmar) and AST (the Atlantic coast, Arabia) are in use for several zones. The offsets are those of
    /// the IANA time zone database; names that it no longer abbreviates are taken as they stood there.
    private static let known: [Key: XMLTVTimeZoneName] = {
        let offsets: [(Int, [Key])] = [
            (0, ["Z", "UTC", "UT", "GMT", "WET"]),
            (100, ["BST", "WEST", "CET", "MET", "WAT"]),
            (200, ["CEST", "MEST", "EET", "CAT", "SAST"]),
            (300, ["EEST", "MSK", "TRT", "EAT", "IDT"]),
            (400, ["GST"]), (500, ["PKT", "UZT"]), (545, ["NPT"]), (600, ["BDT"]), (630, ["MMT"]),
            (700, ["ICT", "WIB"]), (800, ["AWST", "HKT", "SGT", "MYT", "PHT", "WITA"]),
            (900, ["JST", "KST", "WIT"]), (930, ["ACST"]), (1000, ["AEST", "CHST"]), (1030, ["ACDT"]),
            (1100, ["AEDT"]), (1200, ["NZST", "FJT"]), (1300, ["NZDT"]),
            (-1100, ["SST"]), (-1000, ["HST"]), (-900, ["AKST", "HDT"]), (-800, ["PST", "AKDT"]), (-700, ["PDT"]),
            (-600, ["MDT"]), (-500, ["EST", "CDT", "COT", "PET"]), (-400, ["EDT", "CLT", "VET", "BOT"]),
            (-330, ["NST"]), (-300, ["ADT", "BRT", "ART", "UYT", "CLST"]), (-230, ["NDT"]), (-200, ["BRST"]),
        ]
        let ambiguous: [(Int, [Key])] = [(530, ["IST"]), (-600, ["CST"]), (-700, ["MST"]), (-400, ["AST"])]
        var known: [Key: XMLTVTimeZoneName] = [:]
        for (table, isAmbiguous) in [(offsets, false), (ambiguous, true)] {
            for (offset, names) in table {
                let seconds = offset / 100 * 3600 + offset % 100 * 60
                for name in names { known[name] = XMLTVTimeZoneName(seconds: seconds, isAmbiguous: isAmbiguous) }
            }
        }
        return known
    }()
}

extension XMLTVTimeZoneName {
    /// A name of at most seven letters, packed into a number, so that looking it up allocates nothing.
    ///
    /// Case doesn't matter. A longer name equals no name of the table.
    struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
        private var packed: UInt64 = 0

        init() {}

        init(stringLiteral name: String) {
            for letter in name.utf8 { append(letter) }
        }

        /// Adds an ASCII letter.
        mutating func append(_ letter: UInt8) {
            // The top byte fills with the eighth letter and stays full: no name of the table has so many.
            let kept = packed & 0xFF00_0000_0000_0000
            packed = kept != 0 ? packed : packed << 8 | UInt64(letter & 0xDF)
        }
    }
}
