import EPGModel
import Glibc

/// `--configure`: asks at the terminal which database and which channels, as the XMLTV project's grabbers do.
///
/// Questions go to standard error, answers come from standard input. Where that ends before all is answered, nothing is
/// written.
struct GrabberDialogue {
    private let path: String

    /// - Parameter path: The configuration to write.
    init(_ path: String) {
        self.path = path
    }

    /// Asks, and writes the file.
    ///
    /// - Throws: ``CommandFailure/Code/noInput`` where the answers end too early.
    func run() throws {
        let folder = try makeFolder()
        do {
            try write()
        } catch {
            // A folder that was made for nothing goes; one that holds something stays.
            if let folder { rmdir(folder) }
            throw error
        }
    }

    // MARK: - Private

    private func write() throws {
        let file = try ReplacedFile(at: path)
        let (database, stations) = try askDatabase()
        var text = "database=\(database)\n"
        StandardError.write("Select the channels that you want to receive data for.\n")
        var answer = Answer.yes
        var wanted = 0
        for row in stations {
            if answer != .all, answer != .none { answer = try ask(row.station) }
            let isWanted = answer == .yes || answer == .all
            let id = row.station.id.rawValue
            guard !id.contains(where: \.isNewline) else {
                StandardError.write("\(id.withoutControls): an identifier with a line break can't be configured.\n")
                continue
            }
            text += "channel\(isWanted ? "=" : "!")\(id)\n"
            if isWanted { wanted += 1 }
        }
        try file.write(Array(text.utf8))
        try file.replace()
        StandardError.write("The configuration is in \(path.withoutControls).\n")
        if wanted == 0, !stations.isEmpty {
            StandardError.write("It selects no channel, so there will be no guide. Run --configure again for some.\n")
        }
    }

    private enum Answer: String, CaseIterable {
        case yes, no, all, none
    }

    /// Asks until there is a guide; returns its absolute path and its stations.
    private func askDatabase() throws -> (path: String, stations: [StationRow]) {
        let usual = GrabberConfiguration.usualDatabase
        while true {
            let prompt = usual.map { "The guide's database: [\($0)] " } ?? "The guide's database: "
            StandardError.write(prompt.withoutControls)
            let line = try answerLine()
            var configuration = GrabberConfiguration()
            configuration.database = line.trimmed.isEmpty ? usual : line.trimmed
            do {
                let guide = try configuration.guide()
                let stations = try guide.read { try $0.stations(inRows: 0..<Int.max) }
                let path = absolute(guide.location)
                guard !path.contains(where: \.isNewline) else {
                    throw CommandFailure(.usage, "A path with a line break can't be configured. Move the database.")
                }
                return (path, stations)
            } catch {
                guard let failure = CommandFailure(error) else { throw error }
                StandardError.write(failure.sentence + "\n")
            }
        }
    }

    private func ask(_ station: Station) throws(CommandFailure) -> Answer {
        while true {
            let name = "\(station.name) (\(station.id))".withoutControls
            StandardError.write("\(name) [yes,no,all,none (default=yes)] ")
            let text = try answerLine().trimmed.lowercased()
            if text.isEmpty { return .yes }
            // As in the project's own grabbers, one letter is short for yes or no.
            if let answer = Answer(rawValue: text == "y" ? "yes" : text == "n" ? "no" : text) { return answer }
            StandardError.write("Please answer yes, no, all or none.\n")
        }
    }

    private func answerLine() throws(CommandFailure) -> String {
        guard let line = readLine() else {
            StandardError.write("\n")
            throw CommandFailure(
                .noInput, "The answers ended before the last question, so nothing was written. Answer all of them.")
        }
        return line
    }

    private func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes `~/.xmltv`; other folders have to be there. Returns it if it is new.
    private func makeFolder() throws(CommandFailure) -> String? {
        guard path.hasSuffix("/.xmltv/\(Grabber.name).conf"), let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[..<slash])
        guard mkdir(folder, 0o777) != 0 else { return folder }
        guard errno == EEXIST else {
            throw CommandFailure(
                .cannotCreate,
                "The folder \(folder) can't be made (\(String(cString: strerror(errno)))). "
                    + "Name a configuration with --config-file.")
        }
        return nil
    }
}
