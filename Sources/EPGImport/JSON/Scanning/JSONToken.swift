/// A value or key of a record, as a place in the record's bytes.
///
/// The tokens of a record stand in document order: an object is followed by key, value, key, value …, an array by its
/// elements.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `false`, `true`, number, string, array, object, key
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        /// A string with a backslash in it.
        static let escaped = Flags(rawValue: 1)
        /// A string with bytes that are no UTF-8.
        static let illFormed = Flags(rawValue: 2)
        /// A number without a fraction and an exponent.
        static let integer = Flags(rawValue: 4)
        /// A string with a control character that isn't escaped.
        static let control = Flags(rawValue: 8)
    }

    var kind: Kind
    var flags: Flags = []
    /// Of the first byte, from the beginning of the record; of a string, behind its quotation mark.
    var offset: UInt32
    /// Bytes; of a string, between its quotation marks. 0 for arrays and objects.
    var count: UInt32 = 0
    /// The place of the token behind this value, with all that is in it.
    var next: UInt32 = 0
}
