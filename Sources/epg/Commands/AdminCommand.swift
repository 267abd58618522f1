import ArgumentParser
import EPGAccess
import EPGFiles
import EPGJSON
import EPGModel
import EPGProgram
import EPGRender
import Glibc

/// `epg admin`: sets the passwords and tokens of the service.
struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Set passwords and tokens of the service.",
        discussion: """
            Passwords and tokens are in a file beside the database, whose name ends with -access and which only its owner \
            can read. They are not part of the guide, so backups and copies do not contain them. A running service uses \
            changes at once.
            """, subcommands: [Password.self, Token.self])

    /// `epg admin password`: sets or removes a password.
    struct Password: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password", abstract: "Set the password for administration in the browser (/admin).",
            discussion: """
                Asks for the password on a terminal; otherwise reads the first line of standard input. Administration in \
                the browser is off without a password. A new password ends all sessions.
                """)

        @Flag(
            help:
                "Set the password of readers, which require-login in epg.yml requires (default: the administrator's password)."
        )
        var reader = false

        @Flag(help: "Remove the password.")
        var remove = false

        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let password = remove ? nil : try PasswordPrompt.read()
            let role: AccessRole = reader ? .reader : .administrator
            guard let password else { return try database.changeAccess { $0[role] = nil } }
            do {
                _ = try database.access { try $0.setPassword(password, of: role) }
            } catch let error as PasswordFailure {
                if case .library = error { throw CommandFailure(.unavailable, "Cannot set the password: \(error).") }
                throw CommandFailure(.usage, "Cannot set the password: \(error).")
            }
        }
    }

    /// `epg admin token`: adds, lists and revokes tokens.
    struct Token: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token", abstract: "Add, list and revoke tokens of programs.",
            discussion: """
                Programs send a token in the header Authorization: Bearer TOKEN. A token for reading, which require-login in \
                epg.yml requires, may also be in the URL of a feed (/xmltv.xml?token=TOKEN).
                """, subcommands: [Add.self, List.self, Revoke.self])

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add", abstract: "Add a token and print it.",
                discussion: "The token is not stored, so it cannot be printed again.")

            @Argument(help: "Name of the token, such as the program that uses it.")
            var name: String

            @Option(
                help: ArgumentHelp(
                    """
                    What the token admits to: read (the guide), watch (changes of the watchlist), import (POST \
                    /api/v1/import), metrics (/metrics, which then needs a token), or admin (administration, and all but \
                    read); repeatable (default: read).
                    """, valueName: "scope"))
            var scope: [AccessScope] = []

            @OptionGroup var database: DatabaseOptions

            func validate() throws {
                guard AccessToken.isName(name) else {
                    throw ValidationError("The name must have 1 to 64 bytes, without control characters.")
                }
            }

            func run() throws {
                let text = try database.changeAccess { records in
                    guard !records.tokens.contains(where: { $0.name == name }) else {
                        throw CommandFailure(.usage, "There is already a token “\(name)”. Revoke it first.")
                    }
                    guard records.tokens.count < AccessToken.maximumCount else {
                        throw CommandFailure(.usage, "There are \(AccessToken.maximumCount) tokens. Revoke one first.")
                    }
                    let (token, text) = AccessToken.make(
                        named: name, for: scope.isEmpty ? [.read] : Set(scope), at: SystemClock.now)
                    records.tokens.append(token)
                    return text
                }
                try StandardOutput.write(text + "\n")
            }
        }

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens.")

            @OptionGroup var zone: ZoneOptions
            @OptionGroup var output: OutputOptions
            @OptionGroup var database: DatabaseOptions

            func run() throws {
                let tokens = try database.access { try $0.records() }.tokens.map(ListedToken.init)
                let zone = try zone.zone(of: database)
                try output.print(tokens) { terminal in
                    guard !tokens.isEmpty else {
                        return "There are no tokens. Add one with `epg admin token add NAME`.\n"
                    }
                    var table = Table([
                        Table.Column("name", minimumWidth: 8), Table.Column("scopes"), Table.Column("created"),
                        Table.Column("last use"),
                    ])
                    for token in tokens {
                        table.append([
                            Cell(token.token.name, .bold), Cell(token.scopes.joined(separator: ", ")),
                            Cell(zone.fullLabel(at: token.token.created)),
                            Cell(token.token.used.map(zone.fullLabel) ?? "never"),
                        ])
                    }
                    return table.text(for: terminal)
                }
            }
        }

        struct Revoke: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "revoke", abstract: "Revoke a token, which is then no longer accepted.")

            @Argument(help: "Name of the token.")
            var name: String

            @OptionGroup var database: DatabaseOptions

            func run() throws {
                try database.changeAccess { records in
                    let count = records.tokens.count
                    records.tokens.removeAll { $0.name == name }
                    guard records.tokens.count < count else {
                        throw CommandFailure(
                            .noInput, "There is no token “\(name.prefix(64))”. List them with `epg admin token list`.")
                    }
                }
            }
        }
    }
}

extension AccessScope: ExpressibleByArgument {}

/// A token in the output of `epg admin token list`: `{"name", "scopes", "created", "used"}`.
private struct ListedToken: JSONObject {
    let token: AccessToken

    /// The names of the scopes, sorted.
    var scopes: [String] { AccessScope.allCases.filter(token.scopes.contains).map(\.rawValue) }

    func writeMembers(to json: inout JSONWriter) {
        json.member("name", token.name)
        json.member("scopes", list: scopes)
        json.member("created", token.created)
        json.member("used", token.used)
    }
}

extension DatabaseOptions {
    /// Uses the file with passwords and tokens.
    func access<Value>(_ body: (AccessStore) throws -> Value) throws -> Value {
        let store = AccessStore(besideGuide: try companionPathCreatingFolder())
        do {
            return try body(store)
        } catch let failure as AccessFailure {
            throw CommandFailure(.inputOutput, "Cannot use \(failure).")
        }
    }

    func changeAccess<Value>(_ body: (inout AccessRecords) throws -> Value) throws -> Value {
        try access { try $0.change(body) }
    }
}

/// Reads a new password or PIN.
enum PasswordPrompt {
    /// Asks twice on a terminal, without showing what is typed; otherwise reads a line of standard input.
    ///
    /// - Parameter subject: What to ask for, in the singular.
    static func read(_ subject: String = "password") throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line(subject) }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return try line(subject) }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        StandardError.write("New \(subject): ")
        let first = try line(subject)
        StandardError.write("\nRepeat the \(subject): ")
        let second = try line(subject)
        StandardError.write("\n")
        guard first == second else { throw CommandFailure(.usage, "The two \(subject)s differ.") }
        return first
    }

    private static func line(_ subject: String) throws -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandFailure(.usage, "There is no \(subject) on standard input.")
        }
        return line
    }
}
