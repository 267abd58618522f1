import Foundation

/// The XMLTV project's programs, where they are installed.
enum XMLTVProgram {
    struct Failure: Error {
        let program: String
        let status: Int32
    }

    static let areInstalled = ["tv_cat", "tv_sort", "tv_grep", "tv_split"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }

    /// What a program writes to its standard output; the arguments end with the guides.
    ///
    /// - Parameter folder: Where it works.
    static func output(of program: String, _ arguments: [String], in folder: URL) throws -> [UInt8] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/" + program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ["LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, status: process.terminationStatus)
        }
        return [UInt8](output)
    }

    /// A folder that is removed when the work in it is done.
    static func withFolder<Result>(_ work: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "epg-filter-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try work(folder)
    }
}
