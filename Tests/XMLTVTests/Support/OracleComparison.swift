import CExpat
import XMLTV

/// A permitted difference between the scanner and libexpat, with the reason.
enum DocumentedDifference: String, CaseIterable {
    case entityDeclaration = "the scanner rejects <!ENTITY"
    case version = "the scanner rejects XML 1.1 and version numbers other than 1.x; libexpat accepts any"
    case limit = "the document exceeds a limit of the scanner"
    case encoding = "the encodings contradict each other, or libexpat doesn't know the name used for ASCII or UTF-8"
    case insideDTD = "the error is inside the DTD, which the scanner skips"
    case names = "names of the fifth edition; libexpat knows the fourth"
    case namesInsideDTD = "names of the fifth edition inside the DTD"
    case attributeDeclarations = "the DTD declares attributes that are normalized as tokens"
}

/// The result of reading a document with both the scanner and libexpat.
enum OracleVerdict {
    case bothAccept
    /// The lines differ for a truncated document (libexpat reports the start of the open construct, the scanner the
    /// end), if one parser doesn't support the encoding or version, and if single carriage returns end lines.
    case bothReject(onTheSameLine: Bool)
    case differ(DocumentedDifference)
    /// A bug in one of the parsers, with a description.
    case contradiction(String)

    /// The heading under which the test counts the result.
    var heading: String {
        switch self {
        case .bothAccept: "both accept"
        case .bothReject(onTheSameLine: true): "both reject, on the same line"
        case .bothReject(onTheSameLine: false): "both reject, on different lines"
        case .differ(let difference): "documented: \(difference.rawValue)"
        case .contradiction: "CONTRADICTION"
        }
    }
}

/// Reads documents with the scanner and with libexpat, and compares the results.
enum OracleComparison {
    /// Compares the scanner's result for a document with libexpat's.
    ///
    /// libexpat receives the bytes unchanged, or as UTF-8 converted by iconv if the scanner converts them.
    static func compare(
        _ bytes: [UInt8], _ ours: XMLReading<XMLError>, convertedFrom encoding: String?
    ) -> OracleVerdict {
        var document = bytes
        if let encoding {
            guard let converted = IconvOracle.utf8(of: bytes, from: IconvOracle.name(for: encoding, bytes)) else {
                guard ours.isAccepted else { return .bothReject(onTheSameLine: false) }
                return .contradiction("iconv can't convert from \(encoding), but the scanner accepts the document")
            }
            document = converted
        }
        let theirs = Expat.read(document, asUTF8: encoding != nil)
        return judge(document, ours, theirs)
    }

    static func compare(_ bytes: [UInt8]) -> OracleVerdict {
        let ours = ScannerReading.read(ChunkSource(bytes))
        return compare(bytes, ours.reading, convertedFrom: ours.encoding)
    }

    private static func judge(
        _ document: [UInt8], _ ours: XMLReading<XMLError>, _ theirs: XMLReading<ExpatFault>
    ) -> OracleVerdict {
        if ours.fault != nil || theirs.fault != nil, !XMLLog.oneBeginsTheOther(ours.log, theirs.log) {
            let difference = XMLLog.difference(ours.log, theirs.log) ?? ""
            return .contradiction("the scanner and libexpat differ before the fault: \(difference)")
        }
        switch (ours.fault, theirs.fault) {
        case (nil, nil):
            guard let difference = XMLLog.difference(ours.log, theirs.log) else { return .bothAccept }
            if contains(document, "<!ATTLIST"), XMLLog.differOnlyInBlanks(ours.log, theirs.log) {
                return .differ(.attributeDeclarations)
            }
            return .contradiction("the scanner and libexpat differ: \(difference)")
        case (let ours?, let theirs?):
            return .bothReject(onTheSameLine: ours.line == theirs.line)
        case (let fault?, nil):
            if let difference = difference(of: fault, document) { return .differ(difference) }
            return .contradiction("only the scanner rejects the document: \(fault)")
        case (nil, let fault?):
            if let difference = difference(of: fault, document) { return .differ(difference) }
            return .contradiction(
                "only libexpat rejects the document: line \(fault.line), byte \(fault.offset): \(fault.message)")
        }
    }

    /// Returns why the scanner may reject what libexpat accepts.
    private static func difference(of fault: XMLError, _ document: [UInt8]) -> DocumentedDifference? {
        switch fault.reason {
        case .badDeclaration where contains(document, "version=\"\""): .version
        case .badDeclaration where contains(document, "version=''"): .version
        case .entityDeclaration: .entityDeclaration
        case .unsupportedVersion: .version
        case .limit: .limit
        case .contradictoryEncoding: .encoding
        default: nil
        }
    }

    /// Returns why the scanner may accept what libexpat rejects.
    private static func difference(of fault: ExpatFault, _ document: [UInt8]) -> DocumentedDifference? {
        let isName = fault.code == XML_ERROR_INVALID_TOKEN && isFifthEditionName(document, at: fault.offset)
        if fault.isInDoctype { return isName ? .namesInsideDTD : .insideDTD }
        if fault.code == XML_ERROR_UNKNOWN_ENCODING { return .encoding }
        return isName ? .names : nil
    }

    /// Returns whether the character at which libexpat stopped is a name character in the fifth edition.
    private static func isFifthEditionName(_ document: [UInt8], at offset: Int) -> Bool {
        let rest = document[min(offset, document.count)...].prefix(1024)
        guard let place = rest.firstIndex(where: { $0 >= 0x80 }) else { return false }
        var decoder = UTF8()
        var bytes = document[place...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return false }
        return fifthEditionNames.contains { $0.contains(scalar.value) }
    }

    /// XML 1.0, fifth edition, production [4a], non-ASCII.
    private static let fifthEditionNames: [ClosedRange<UInt32>] = [
        0xB7...0xB7, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x203F...0x2040,
        0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF,
    ]

    static func contains(_ document: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard document.count >= wanted.count else { return false }
        return document.indices.dropLast(wanted.count - 1).contains { index in
            document[index] == wanted[0] && document[index..<index + wanted.count].elementsEqual(wanted)
        }
    }
}
