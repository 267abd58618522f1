import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// Runs the cells of the corpus, whose numbers were calculated by hand.
@Suite struct CellCorpusTests {
    @Test(arguments: try CorpusJSON.corpus("list.json").member("cells").array)
    func cells(_ sample: CorpusJSON) throws {
        let layout = try sample.cell.layout(
            width: try sample.member("width").number, height: try sample["height"]?.number,
            direction: try sample["direction"]?.named() ?? .leftToRight,
            pixels: PixelGrid(scale: try sample["scale"]?.number ?? 1), measuring: Lists.measure)
        func check(_ frame: Rect?, _ key: String) throws {
            guard let expected = try sample[key]?.rect else { return }
            let frame = try #require(frame, "no \(key)")
            #expect(frame.isClose(to: expected), "\(key): \(frame)")
        }
        try check(layout.imageFrame, "image")
        try check(layout.textFrame, "text")
        try check(layout.secondaryTextFrame, "secondaryText")
        try check(layout.contentFrame, "contentFrame")
        if let expected = try sample["accessoryFrames"]?.array.map({ try $0.rect }) {
            #expect(layout.accessories.map(\.frame) == expected)
        }
        if let leading = try sample["separatorLeading"]?.number { #expect(layout.separatorLeading == leading) }
        if let height = try sample["preferredHeight"]?.number {
            #expect(abs(layout.preferredHeight - height) < 1e-6, "\(layout.preferredHeight)")
        }
        let problems = try sample["diagnostics"]?.array.map { try $0.string } ?? []
        #expect(layout.diagnostics.map { "\($0.problem)" } == problems)
    }
}

extension CorpusJSON {
    fileprivate var cell: ListCell {
        get throws {
            let json = try member("content")
            var content = ContentConfiguration(style: try json.member("style").named())
            content.text = try json["text"]?.string
            content.secondaryText = try json["secondaryText"]?.string
            content.image = try json["image"].map { CellImage(name: "image", size: try $0.size) }
            content.imageProperties.reservedLayoutSize = try json["reserved"]?.size ?? .zero
            content.imageProperties.maximumSize = try json["maximum"]?.size ?? .zero
            content.textProperties.numberOfLines = Int(try json["numberOfLines"]?.number ?? 0)
            content.textProperties.alignment = try json["alignment"]?.named() ?? .natural
            content.margins = try json["margins"]?.insets ?? content.margins
            var cell = ListCell(content: content)
            cell.state.isEditing = try self["editing"]?.bool ?? false
            cell.indentationLevel = Int(try self["indentation"]?.number ?? 0)
            cell.accessories = try self["accessories"]?.array.map { try $0.accessory } ?? []
            return cell
        }
    }

    private var accessory: CellAccessory {
        get throws {
            let text = try self["text"]?.string ?? ""
            var accessory: CellAccessory =
                switch try member("kind").named(CellAccessory.Kind.self) {
                case .disclosureIndicator: .disclosureIndicator()
                case .detail: .detail()
                case .checkmark: .checkmark()
                case .delete: .delete()
                case .insert: .insert()
                case .reorder: .reorder()
                case .multiselect: .multiselect()
                case .outlineDisclosure: .outlineDisclosure()
                case .label: .label(text)
                case .custom:
                    .custom(text, size: try member("size").size, placement: try member("placement").named())
                }
            if let displayed = self["displayed"] { accessory.displayed = try displayed.named() }
            switch self["reserved"] {
            case nil: break
            case .string: accessory.reservedLayoutWidth = .standard
            case .some(let width): accessory.reservedLayoutWidth = .custom(try width.number)
            }
            return accessory
        }
    }
}
