import Foundation

/// Reads `{"guides": […]}` from a file and writes the frames of each case at a device scale.
@main enum LayoutAnswers {
    struct Cases: Decodable {
        let guides: [GuideCase]
    }

    struct Answers: Encodable {
        /// For each case, for each offset, the edges of each element by its name.
        let guides: [[[String: [Double]]]]
    }

    static func main() throws {
        guard CommandLine.arguments.count == 3, let scale = Double(CommandLine.arguments[2]) else {
            throw Usage()
        }
        let cases = try JSONDecoder().decode(
            Cases.self, from: try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        let answers = Answers(guides: try cases.guides.map { try $0.answers(scale: scale) })
        FileHandle.standardOutput.write(try JSONEncoder().encode(answers))
    }

    struct Usage: Error, CustomStringConvertible {
        var description: String { "usage: layout-answers cases.json scale" }
    }
}
