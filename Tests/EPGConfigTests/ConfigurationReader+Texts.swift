@testable import EPGConfig

extension ConfigurationReader {
    /// A reader whose files are texts; the home is `/home/me`, the working folder `/work`.
    static func ofTexts(_ files: [String: String], environment: [String: String] = [:]) -> ConfigurationReader {
        ConfigurationReader(
            environment: ["HOME": "/home/me"].merging(environment) { $1 }, workingFolder: { "/here" }
        ) { files[$0] }
    }

    /// The errors of a file `/f/epg.yml`, a line each; none where it is fine.
    static func errors(of text: String) -> [String] {
        switch Result(catching: { try ofTexts(["/f/epg.yml": text]).check(file: "/f/epg.yml") }) {
        case .success: []
        case .failure(let refusal as ConfigurationRefusal): refusal.errors.map(\.description)
        case .failure(let error): ["\(error)"]
        }
    }
}
