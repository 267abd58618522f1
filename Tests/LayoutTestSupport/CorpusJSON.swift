package import CollectionLayout
import Foundation
import Testing

/// A JSON value with strict accessors: a missing key or a value of another type throws an error that names it.
package enum CorpusJSON: Decodable, CustomTestStringConvertible, Sendable {
    case object([String: CorpusJSON])
    case array([CorpusJSON])
    case number(Double)
    case string(String)
    case bool(Bool)
    case null

    /// The name of a case.
    package var testDescription: String {
        if case .string(let name)? = self["name"] { return name }
        return "\(self)"
    }

    package struct Mismatch: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([CorpusJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: CorpusJSON].self))
        }
    }

    /// Returns a file in the corpus of the layout tests by name.
    package static func corpus(_ name: String) throws -> CorpusJSON {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("CollectionLayoutTests/Corpus").appendingPathComponent(name)
        return try JSONDecoder().decode(CorpusJSON.self, from: Data(contentsOf: file))
    }

    /// Returns a member of an object; `nil` if it is missing or null.
    package subscript(key: String) -> CorpusJSON? {
        guard case .object(let members) = self, let member = members[key] else { return nil }
        if case .null = member { return nil }
        return member
    }

    package func member(_ key: String) throws -> CorpusJSON {
        guard let member = self[key] else { throw Mismatch(description: "no \(key) in \(self)") }
        return member
    }

    package var number: Double {
        get throws {
            guard case .number(let value) = self else { throw Mismatch(description: "\(self) is not a number") }
            return value
        }
    }

    package var string: String {
        get throws {
            guard case .string(let value) = self else { throw Mismatch(description: "\(self) is not a string") }
            return value
        }
    }

    package var bool: Bool {
        get throws {
            guard case .bool(let value) = self else { throw Mismatch(description: "\(self) is not a Boolean") }
            return value
        }
    }

    package var array: [CorpusJSON] {
        get throws {
            guard case .array(let value) = self else { throw Mismatch(description: "\(self) is not an array") }
            return value
        }
    }

    package var object: [String: CorpusJSON] {
        get throws {
            guard case .object(let value) = self else { throw Mismatch(description: "\(self) is not an object") }
            return value
        }
    }

    /// Returns a case of an enumeration by its name.
    package func named<Choice: RawRepresentable>(_ type: Choice.Type = Choice.self) throws -> Choice
    where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try string) else {
            throw Mismatch(description: "\(self) is not a \(Choice.self)")
        }
        return choice
    }

    /// Returns an array with exactly `count` numbers.
    package func numbers(_ count: Int) throws -> [Double] {
        let numbers = try array.map { try $0.number }
        guard numbers.count == count else { throw Mismatch(description: "\(self) has not \(count) numbers") }
        return numbers
    }
}

// MARK: - Values

extension CorpusJSON {
    package var size: Size {
        get throws {
            let numbers = try numbers(2)
            return Size(width: numbers[0], height: numbers[1])
        }
    }

    package var point: Point {
        get throws {
            let numbers = try numbers(2)
            return Point(x: numbers[0], y: numbers[1])
        }
    }

    package var rect: Rect {
        get throws {
            let numbers = try numbers(4)
            return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }

    package var insets: EdgeInsets {
        get throws {
            let numbers = try numbers(4)
            return EdgeInsets(top: numbers[0], leading: numbers[1], bottom: numbers[2], trailing: numbers[3])
        }
    }

    /// Parses an element such as `item 0 1`, `supplementary header 0 0` or `decoration background 0 0`.
    package static func element(_ text: String) throws -> LayoutElement {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 3, let section = Int(parts[parts.count - 2]), let item = Int(parts[parts.count - 1])
        else { throw Mismatch(description: "\(text) is not an element") }
        let path = CollectionLayout.IndexPath(section: section, item: item)
        switch (parts[0], parts.count) {
        case ("item", 3): return .item(path)
        case ("supplementary", 4): return .supplementary(ElementKind(rawValue: parts[1]), path)
        case ("decoration", 4): return .decoration(ElementKind(rawValue: parts[1]), path)
        default: throw Mismatch(description: "\(text) is not an element")
        }
    }
}

extension Rect {
    /// Returns whether all edges are less than a millionth of a point apart.
    package func isClose(to other: Rect) -> Bool {
        zip([minX, minY, maxX, maxY], [other.minX, other.minY, other.maxX, other.maxY])
            .allSatisfy { abs($0 - $1) < 1e-6 }
    }
}
