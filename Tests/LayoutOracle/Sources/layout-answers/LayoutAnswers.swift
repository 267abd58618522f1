import Foundation

/// Reads cases of one or more families from a file and writes the frames of each at a device scale.
@main enum LayoutAnswers {
    struct Cases: Decodable {
        let guides: [GuideCase]?
        let flow: [FlowCase]?
        let compositional: [CompositionalCase]?
        let strips: [CompositionalCase]?
        let pins: [CompositionalCase]?
    }

    static func main() throws {
        guard CommandLine.arguments.count == 3, let scale = Double(CommandLine.arguments[2]) else {
            throw Usage()
        }
        let cases = try JSONDecoder().decode(
            Cases.self, from: try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        // For each family, for each case, for each offset, the edges of each element by its name.
        var answers: [String: [[[String: [Double]]]]] = [:]
        answers["guides"] = try cases.guides?.map { try $0.answers(scale: scale) }
        answers["flow"] = try cases.flow?.map { try $0.answers(scale: scale) }
        answers["compositional"] = try cases.compositional?.map { try $0.answers(scale: scale) }
        answers["strips"] = try cases.strips?.map { try $0.answers(scale: scale) }
        answers["pins"] = try cases.pins?.map { try $0.answers(scale: scale) }
        FileHandle.standardOutput.write(try JSONEncoder().encode(answers))
    }

    struct Usage: Error, CustomStringConvertible {
        var description: String { "usage: layout-answers cases.json scale" }
    }
}
