import CExpat
import XMLTV

/// What became of a case of the W3C's suite, and whether that is as it must be.
enum ConformanceOutcome: String, CaseIterable {
    case readTheSame = "read as libexpat reads it"
    case readTokens = "read; a DTD declares attributes that libexpat normalises as tokens"
    case readAlone = "read; libexpat refuses it, for names that the fifth edition allows"
    case refusedForEntities = "refused for <!ENTITY"
    case refusedVersion = "refused for its version"
    case refusedFault = "refused for its fault"
    case acceptedInsideDTD = "accepted; the fault lies inside the DTD, where libexpat finds it"
    case acceptedExternalDTD = "accepted; the fault lies in the external DTD, where libexpat finds it if it reads that"
    case acceptedExternalVersion = "accepted; the external DTD is XML 1.1"
    case acceptedMark = "accepted; the byte order mark of UTF-8 overrules the declaration, for libexpat too"
    case acceptedNamespaces = "accepted; a fault by the namespace recommendation alone, libexpat accepts it too"
    case otherEditionAccepted = "accepted; a fault by editions before the fifth alone"
    case otherEditionRefused = "refused; about editions before the fifth"
    case eitherWay = "the suite leaves it to the reader"
    case violation = "VIOLATION"

    /// Whether the outcome is none that the suite itself expects, so that the case is listed.
    var isException: Bool {
        switch self {
        case .readTheSame, .refusedFault, .eitherWay: false
        default: true
        }
    }

    init(
        _ test: ConformanceCase, _ bytes: [UInt8], _ ours: XMLReading<XMLError>, _ verdict: OracleVerdict,
        entity: @escaping (String) -> [UInt8]?
    ) {
        if case .contradiction = verdict {
            self = .violation
        } else if test.kind == .error {
            self = .eitherWay
        } else if !test.appliesToFifthEdition {
            self = ours.isAccepted ? .otherEditionAccepted : .otherEditionRefused
        } else if let fault = ours.fault {
            self = Self.refused(test, fault)
        } else if test.kind == .notWellFormed {
            self = Self.accepted(test, bytes, verdict, entity: entity)
        } else {
            self = Self.read(verdict)
        }
    }

    private static func refused(_ test: ConformanceCase, _ fault: XMLError) -> Self {
        switch fault.reason {
        case .entityDeclaration: .refusedForEntities
        case .unsupportedVersion: .refusedVersion
        default: test.kind == .notWellFormed ? .refusedFault : .violation
        }
    }

    private static func read(_ verdict: OracleVerdict) -> Self {
        switch verdict {
        case .bothAccept: .readTheSame
        case .differ(.attributeDeclarations): .readTokens
        case .differ(.names), .differ(.namesInsideDTD): .readAlone
        default: .violation
        }
    }

    /// Why a document that is not well-formed may have been accepted, by what libexpat says of it.
    private static func accepted(
        _ test: ConformanceCase, _ bytes: [UInt8], _ verdict: OracleVerdict, entity: @escaping (String) -> [UInt8]?
    ) -> Self {
        switch verdict {
        case .differ(.insideDTD), .differ(.namesInsideDTD):
            return .acceptedInsideDTD
        case .bothAccept where test.isAboutNamespaces, .differ(.attributeDeclarations) where test.isAboutNamespaces:
            return .acceptedNamespaces
        case .bothAccept where bytes.starts(with: [0xEF, 0xBB, 0xBF]):
            return .acceptedMark
        case .bothAccept:
            var readsVersion11 = false
            let theirs = Expat.read(bytes) { name in
                let bytes = entity(name)
                let start = String(decoding: bytes?.prefix(60) ?? [], as: UTF8.self)
                if start.contains(#/version\s*=\s*["']1\.1["']/#) { readsVersion11 = true }
                return bytes
            }
            if theirs.fault?.code == XML_ERROR_EXTERNAL_ENTITY_HANDLING { return .acceptedExternalDTD }
            if theirs.fault?.isInDoctype == true { return .acceptedExternalDTD }
            return readsVersion11 ? .acceptedExternalVersion : .violation
        default:
            return .violation
        }
    }
}
