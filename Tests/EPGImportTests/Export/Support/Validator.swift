import Foundation

/// Programs of other people that judge what we write.
enum Validator {
    /// `xmllint`, which comes with libxml2.
    static let xmllint = path(of: "xmllint")
    /// Comes with the XMLTV project.
    static let tvValidateFile = path(of: "tv_validate_file")
    /// The DTD of the XMLTV project, beside the package.
    static let dtd = RealGuide.folder.appending(path: "xmltv.dtd").path

    static let hasXMLLint = xmllint != nil && FileManager.default.fileExists(atPath: dtd)
    static let noXMLLint = "xmllint or shared/data/xmltv.dtd isn't here (Debian: libxml2-utils)"

    /// Whether python3 has a module.
    static func hasPython(module: String) -> Bool {
        guard let python = path(of: "python3") else { return false }
        do {
            return try run(python, ["-c", "import \(module)"], input: "").status == 0
        } catch {
            return false
        }
    }

    /// What is wrong with a guide by the DTD; empty where nothing is.
    static func complaints(byDTDAbout guide: String) throws -> String {
        let run = try run(xmllint ?? "", ["--noout", "--nonet", "--dtdvalid", dtd, "-"], input: guide)
        return run.status == 0 ? "" : "\(run.status): \(run.text.prefix(2000))"
    }

    /// The lines in which the XMLTV project's validator says what is wrong with a guide.
    static func complaints(byProjectAbout guide: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "epg-export-\(UUID().uuidString).xml")
        try Data(guide.utf8).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        let run = try run(tvValidateFile ?? "", ["--dtd-file", dtd, file.path], input: "")
        return run.status == 0 ? [] : run.text.split(separator: "\n").map(String.init)
    }

    /// Runs a program to its end, with what it says on both outputs.
    static func run(_ path: String, _ arguments: [String], input: String) throws -> (status: Int32, text: String) {
        let process = Process()
        let (output, standardInput) = (Pipe(), FileManager.default.temporaryDirectory)
        let file = standardInput.appending(path: "epg-input-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    private static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
