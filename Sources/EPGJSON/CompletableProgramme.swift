package import EPGModel

/// A stored programme whose missing elements another programme may provide, and the other way around.
///
/// Elements are copied as bytes: equal content has equal documents, so that parsing and encoding would write the same.
package final class CompletableProgramme {
    /// A member of a document.
    private struct Member {
        let name: String
        /// The bytes `"key":value`.
        let bytes: Range<Int>
    }

    package let stored: StoredProgramme
    /// Decides which elements are missing or poorer.
    package let texts: CompletedTexts
    private let members: [Member]
    private let node: JSONNode

    /// Reads a programme.
    ///
    /// - Throws: ``StoredDocument/Damage``.
    package init(_ stored: StoredProgramme) throws(StoredDocument.Damage) {
        self.stored = stored
        texts = CompletedTexts(title: stored.title, subtitle: stored.subtitle, description: stored.description)
        node = try StoredDocument.object(stored.document)
        var members: [Member] = []
        let bytes = node.record.bytes
        let keys = Array(node.children(of: .object))
        let close = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for (index, place) in keys.enumerated() {
            let key = node.record.tokens[place]
            var end = index + 1 < keys.count ? Int(node.record.tokens[keys[index + 1]].offset) - 1 : close
            // Another program may have written white space.
            while end > 0, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")].contains(bytes[end - 1]) { end -= 1 }
            members.append(Member(name: ElementJSON.name(of: node.record.text(key)), bytes: Int(key.offset) - 1..<end))
        }
        self.members = members
    }

    private func member(_ name: String) -> Member? { members.first { $0.name == name } }

    /// Whether the programme has a field.
    private func has(_ field: CompletedField) -> Bool {
        switch field {
        case .subtitle: if let subtitle = stored.subtitle, !subtitle.isEmpty { return true }
        case .description: if let description = stored.description, !description.isEmpty { return true }
        default: break
        }
        return member(field.rawValue) != nil
    }

    /// The listing with the details that only the document has.
    package func broadcast(during window: TimeWindow) throws(StoredDocument.Damage) -> ListedBroadcast {
        var broadcast = ListedBroadcast(
            window: window, title: stored.title, subtitle: stored.subtitle, description: stored.description)
        for name in ["episode-num", "date", "credits"] {
            guard let element = node[name] else { continue }
            let nodes: [ContentNode]
            do throws(EPGJSONFault) {
                nodes = try ElementJSON.elements(named: name, element)
            } catch {
                throw StoredDocument.Damage(detail: error.quote)
            }
            for element in nodes.elements {
                switch name {
                case "episode-num":
                    broadcast.episodes.append(
                        EpisodeNumber(value: element.text, system: element[attribute: "system"] ?? "onscreen"))
                case "date": broadcast.date = broadcast.date ?? element.text
                default: broadcast.directors += element.elements(named: "director").map(\.text)
                }
            }
        }
        return broadcast
    }

    /// Returns the fields that another programme provides.
    ///
    /// - Parameter known: Fields that a better source provides.
    package func fields(from other: CompletableProgramme, besides known: Set<CompletedField>) -> [CompletedField] {
        CompletedField.allCases.filter { field in
            guard !known.contains(field), other.has(field) else { return false }
            switch field {
            case .subtitle:
                return !has(.subtitle) && other.stored.subtitle.map { texts.lacks(subtitle: $0) } ?? false
            case .description:
                guard other.texts.hasDescription, let description = other.stored.description else { return false }
                // The only description is replaced, one of several languages is not.
                return texts.isPoorer(than: description) && node["desc"]?.elements.count ?? 1 < 2
            // The start of Unix time stands for an unknown date.
            case .date: return !has(.date) && !other.isDateUnknown
            default: return !has(field)
            }
        }
    }

    private var isDateUnknown: Bool {
        member("date").map { node.record.bytes[$0.bytes].contains(Array("\"19700101".utf8)) } ?? true
    }

    /// Returns the programme with fields of others and with their origin, and the part of its document that decides on its genre.
    package func completed(
        by donors: [(programme: CompletableProgramme, origin: FieldOrigin)]
    ) -> (programme: StoredProgramme, genreDocument: [UInt8]) {
        var result = stored
        var taken: [(name: String, bytes: ArraySlice<UInt8>)] = []
        var origins: [UInt8] = []
        for (programme, origin) in donors {
            for field in origin.fields {
                switch field {
                case .subtitle: result.subtitle = programme.stored.subtitle
                case .description: result.description = programme.stored.description
                case .category: result.category = programme.stored.category
                default: break
                }
                if let member = programme.member(field.rawValue) {
                    taken.append((field.rawValue, programme.node.record.bytes[member.bytes]))
                }
            }
            ElementJSON.append(origin.element, to: &origins)
            origins.append(UInt8(ascii: ","))
        }
        var list = Array("\"\(FieldOrigin.elementName)\":[".utf8)
        if let own = member(FieldOrigin.elementName) {
            // A feed that another guide exported.
            let value = node.record.bytes[own.bytes].dropFirst(FieldOrigin.elementName.utf8.count + 3)
            list += value.first == UInt8(ascii: "[") ? value.dropFirst().dropLast() : value
            list.append(UInt8(ascii: ","))
        }
        list += origins.dropLast()
        list.append(UInt8(ascii: "]"))
        taken.append((FieldOrigin.elementName, list[...]))
        let replaced = Set(donors.flatMap { $0.origin.fields.map(\.rawValue) } + [FieldOrigin.elementName])
        taken += members.filter { !replaced.contains($0.name) }.map { ($0.name, node.record.bytes[$0.bytes]) }
        let ordered = ElementOrder.sorted(
            taken, rank: { $0.name == ElementJSON.text ? 0 : ElementOrder.rank(ofElement: $0.name) }, name: { $0.name })
        result.document = Self.document(ordered.map(\.bytes))
        let genres = ordered.filter { ["category", "date", "episode-num"].contains($0.name) }
        return (result, Self.document(genres.map(\.bytes)))
    }

    private static func document(_ members: [ArraySlice<UInt8>]) -> [UInt8] {
        var document: [UInt8] = [UInt8(ascii: "{")]
        document.reserveCapacity(members.reduce(2) { $0 + $1.count + 1 })
        for member in members {
            if document.count > 1 { document.append(UInt8(ascii: ",")) }
            document += member
        }
        document.append(UInt8(ascii: "}"))
        return document
    }
}
