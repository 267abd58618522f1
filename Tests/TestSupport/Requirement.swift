import Foundation
package import Testing

/// Something that a test needs and the package does not contain.
package struct Requirement: Sendable {
    package let isMet: Bool
    /// What is missing if the requirement is not met.
    let missing: String

    package init(_ isMet: Bool, missing: String) {
        self.isMet = isMet
        self.missing = missing
    }

    /// Programs in the folders of `PATH`.
    package static func programs(_ names: String...) -> Requirement {
        let missing = names.filter { TestProgram.path(of: $0) == nil }
        return Requirement(missing.isEmpty, missing: missing.joined(separator: ", "))
    }

    /// A module of ``TestProgram/python``.
    package static func pythonModule(_ name: String) -> Requirement {
        let found = Result { try TestProgram.output(of: TestProgram.python, ["-c", "import \(name)"]) }
        return Requirement((try? found.get()) != nil, missing: "the module \(name) of \(TestProgram.python)")
    }

    /// ``PackageFiles/sharedData``, or a file in it.
    package static func sharedData(_ path: String = "") -> Requirement {
        let url = path.isEmpty ? PackageFiles.sharedData : PackageFiles.sharedData.appending(path: path)
        return Requirement(
            FileManager.default.fileExists(atPath: url.path),
            missing: "../shared/data" + (path.isEmpty ? "" : "/\(path)"))
    }

    /// The validation of XMLTV with `xmllint` and the DTD of the XMLTV project.
    package static let xmltvDTD = Requirement(
        Requirement.programs("xmllint").isMet && Requirement.sharedData("xmltv.dtd").isMet,
        missing: "xmllint or ../shared/data/xmltv.dtd")
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason, unless all requirements are met.
    package static func needs(
        _ requirements: Requirement..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let missing = requirements.filter { !$0.isMet }.map(\.missing)
        return .enabled(
            if: missing.isEmpty, Comment(rawValue: "missing: \(missing.joined(separator: ", "))"),
            sourceLocation: sourceLocation)
    }
}
