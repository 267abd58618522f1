import EPGModel
import EPGStore
import Glibc

/// `--configure`: asks at the terminal which database and which channels, as the XMLTV project's grabbers do.
///
/// Questions go to standard error, answers come from standard input; where that ends, the rest is as suggested.
struct GrabberDialogue {
    private let path: String

    /// - Parameter path: The configuration to write.
    init(_ path: String) {
        self.path = path
    }

    /// Asks, and writes the file.
    func run() throws {
        try makeFolder()
        let file = try ReplacedFile(at: path)
        let (database, stations) = try askDatabase()
        var text = "database=\(database)\n"
        StandardError.write("Select the channels that you want to receive data for.\n")
        var answer = Answer.yes
        for row in stations {
            if answer != .all, answer != .none { answer = ask(row.station) }
            let sign = answer == .yes || answer == .all ? "=" : "!"
            let id = row.station.id.rawValue
            guard !id.contains(where: \.isNewline) else {
                StandardError.write("\(id.withoutControls): an identifier with a line break can't be configured.\n")
                continue
            }
            text += "channel\(sign)\(id)\n"
        }
        try file.write(Array(text.utf8))
        try file.replace()
        StandardError.write("The configuration is in \(path.withoutControls).\n")
    }

    // MARK: - Private

    private enum Answer: String, CaseIterable {
        case yes, no, all, none
    }

    /// Asks until there is a guide; returns its absolute path and its stations.
    private func askDatabase() throws -> (path: String, stations: [StationRow]) {
        let usual = GrabberConfiguration.usualDatabase
        while true {
            let prompt = usual.map { "The guide's database: [\($0)] " } ?? "The guide's database: "
            StandardError.write(prompt.withoutControls)
            let line = readLine()
            var configuration = GrabberConfiguration()
            configuration.database = line.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed } ?? usual
            do {
                return try configuration.read { (absolute($0.path), try $0.stations(inRows: 0..<Int.max)) }
            } catch {
                // Nobody is there to give another answer.
                guard line != nil, let failure = CommandFailure(error) else { throw error }
                StandardError.write(failure.sentence + "\n")
            }
        }
    }

    private func ask(_ station: Station) -> Answer {
        while true {
            let name = "\(station.name) (\(station.id))".withoutControls
            StandardError.write("\(name) [yes,no,all,none (default=yes)] ")
            guard let line = readLine() else { return .all }
            let text = line.trimmed.lowercased()
            if text.isEmpty { return .yes }
            // As in the project's own grabbers, one letter is short for yes or no.
            if let answer = Answer(rawValue: text == "y" ? "yes" : text == "n" ? "no" : text) { return answer }
            StandardError.write("Please answer yes, no, all or none.\n")
        }
    }

    private func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes `~/.xmltv`; other folders have to be there.
    private func makeFolder() throws(CommandFailure) {
        guard path.hasSuffix("/.xmltv/\(Grabber.name).conf"), let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw CommandFailure(
                .cannotCreate,
                "The folder \(folder) can't be made (\(String(cString: strerror(errno)))). "
                    + "Name a configuration with --config-file.")
        }
    }
}
