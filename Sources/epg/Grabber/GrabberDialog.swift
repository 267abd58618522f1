import EPGFiles
import EPGModel
import EPGProgram
import Glibc
import XMLTV

/// `--configure`: asks for the database and the channels on the terminal, like the grabbers of the XMLTV project.
///
/// Writes questions to standard error and reads answers from standard input. If the input ends before the last answer,
/// nothing is written.
struct GrabberDialog {
    /// The path of the configuration file.
    let path: String

    /// Asks all questions and writes the file.
    ///
    /// - Throws: ``CommandFailure/Code/noInput`` if the input ends early.
    func run() throws {
        let folder = try createFolder()
        do {
            try write()
        } catch {
            // Remove the new folder.
            if let folder { rmdir(folder) }
            throw error
        }
    }

    // MARK: - Private

    private func write() throws {
        let file = try OutputFile(at: path)
        let (database, stations) = try promptForDatabase()
        var text = "database=\(database)\n"
        StandardError.write("Select the channels to include.\n")
        var answer = Answer.yes
        var selectedCount = 0
        for row in stations {
            if answer != .all, answer != .none { answer = try promptForStation(row.station) }
            let isSelected = answer == .yes || answer == .all
            let id = row.station.id.rawValue
            guard !id.contains(where: \.isNewline) else {
                StandardError.write("\(id.withoutControls): ignored: the identifier contains a line break.\n")
                continue
            }
            text += "channel\(isSelected ? "=" : "!")\(id)\n"
            if isSelected { selectedCount += 1 }
        }
        try file.write { try $0(Array(text.utf8)) }
        StandardError.write("Wrote the configuration to \(path.withoutControls).\n")
        if selectedCount == 0, !stations.isEmpty {
            StandardError.write("It selects no channels. Run --configure again to select some.\n")
        }
    }

    private enum Answer: String, CaseIterable {
        case yes, no, all, none
    }

    /// Asks for the database until a guide opens; returns its absolute path and its stations.
    private func promptForDatabase() throws -> (path: String, stations: [StationRow]) {
        let suggestion = GrabberConfiguration.defaultDatabase
        while true {
            let prompt = suggestion.map { "Database of the guide [\($0)]: " } ?? "Database of the guide: "
            StandardError.write(prompt.withoutControls)
            let line = try readAnswer()
            var configuration = GrabberConfiguration()
            configuration.database = line.trimmed.isEmpty ? suggestion : line.trimmed
            do {
                let guide = try configuration.guide()
                let stations = try guide.read { try $0.stations(inRows: 0..<Int.max) }
                let path = FilePath.resolved(guide.location)
                guard !path.contains(where: \.isNewline) else {
                    throw CommandFailure(.usage, "The path of the database contains a line break. Move the database.")
                }
                return (path, stations)
            } catch {
                guard let failure = CommandFailure(error) else { throw error }
                StandardError.write(failure.message + "\n")
            }
        }
    }

    private func promptForStation(_ station: Station) throws(CommandFailure) -> Answer {
        while true {
            let name = "\(station.name) (\(station.id))".withoutControls
            StandardError.write("\(name) [yes,no,all,none (default=yes)] ")
            let text = try readAnswer().trimmed.lowercased()
            if text.isEmpty { return .yes }
            // Accept y and n, like the grabbers of the project.
            if let answer = Answer(rawValue: text == "y" ? "yes" : text == "n" ? "no" : text) { return answer }
            StandardError.write("Please answer yes, no, all or none.\n")
        }
    }

    private func readAnswer() throws(CommandFailure) -> String {
        guard let line = readLine() else {
            StandardError.write("\n")
            throw CommandFailure(
                .noInput, "The input ended before the last question. Nothing was written; answer all questions.")
        }
        return line
    }

    /// Creates `~/.xmltv`; other folders must exist. Returns the folder if it is new.
    private func createFolder() throws(CommandFailure) -> String? {
        guard path.hasSuffix("/.xmltv/\(Grabber.name).conf") else { return nil }
        let folder = FilePath.folder(of: path)
        guard mkdir(folder, 0o777) != 0 else { return folder }
        guard errno == EEXIST else {
            throw CommandFailure(
                .cannotCreate,
                "Cannot create the folder \(folder): \(SystemFault.last). "
                    + "Give a configuration file with --config-file.")
        }
        return nil
    }
}

// MARK: - Graphical configuration

/// The stages of `--configure-api`: the questions that a graphical program asks the user, in the format of
/// `xmltv-configuration.dtd` of the XMLTV project.
enum GrabberStage {
    /// The first stage: the database.
    static func start(_ configuration: GrabberConfiguration) throws -> String {
        let known = configuration.database ?? GrabberConfiguration.defaultDatabase ?? ""
        return document(
            """
              <string id="database" default="\(known.escaped)">
                <title lang="en">Database</title>
                <description lang="en">The database of epg.</description>
              </string>

            """, next: "select-channels")
    }

    /// The second and last stage: the channels.
    static func selectChannels(_ configuration: GrabberConfiguration) throws -> String {
        let stations = try configuration.guide().read { try $0.stations(inRows: 0..<Int.max) }
        let options = stations.map { row in
            """
                <option value="\(row.station.id.rawValue.escaped)">
                  <text lang="en">\(row.station.name.escaped)</text>
                </option>

            """
        }
        return document(
            """
              <selectmany id="channel">
                <title lang="en">Channels</title>
                <description lang="en">The channels to include.</description>
            \(options.joined())  </selectmany>

            """, next: "end")
    }

    private static func document(_ content: String, next: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <xmltvconfiguration grabber="\(Grabber.name)">
        \(content)  <nextstage stage="\(next)" />
        </xmltvconfiguration>

        """
    }
}

extension String {
    /// The text escaped for XML, without U+FFFE and U+FFFF. Control and bidirectional characters become spaces.
    fileprivate var escaped: String {
        var bytes: [UInt8] = []
        bytes.append(escaping: withoutControls, for: .attribute)
        return String(decoding: bytes, as: UTF8.self)
    }
}
