import Foundation

/// Reads cases of one or more families from a file and prints the frames of each at a device scale.
@main enum LayoutFrames {
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
        // The edges of each element by name, for each family, case and offset.
        var frames: [String: [[[String: [Double]]]]] = [:]
        frames["guides"] = try cases.guides?.map { try $0.frames(scale: scale) }
        frames["flow"] = try cases.flow?.map { try $0.frames(scale: scale) }
        frames["compositional"] = try cases.compositional?.map { try $0.frames(scale: scale) }
        frames["strips"] = try cases.strips?.map { try $0.frames(scale: scale) }
        frames["pins"] = try cases.pins?.map { try $0.frames(scale: scale) }
        FileHandle.standardOutput.write(try JSONEncoder().encode(frames))
    }

    struct Usage: Error, CustomStringConvertible {
        var description: String { "usage: layout-frames cases.json scale" }
    }
}
