import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct CellAccessoryTests {
    private func custom(_ name: String, _ position: CellAccessory.Position = .automatic) -> CellAccessory {
        .custom(name, size: Size(width: 10, height: 10), placement: .trailing, position: position)
    }

    private func names(_ accessories: [CellAccessory]) -> [String] {
        accessories.map { $0.text.isEmpty ? $0.kind.rawValue : $0.text }
    }

    @Test func theOriginalsOwnStandInTheirOrderWhateverTheOneGiven() {
        let given: [CellAccessory] = [.reorder(displayed: .always), .disclosureIndicator(), .label("7"), .checkmark()]
        for accessories in [given, given.reversed()] {
            #expect(
                names(accessories.arranged(at: .trailing, isEditing: false))
                    == ["7", "checkmark", "disclosureIndicator", "reorder"])
        }
        #expect(
            names([CellAccessory.multiselect(), .insert(), .delete()].arranged(at: .leading, isEditing: true))
                == ["delete", "insert", "multiselect"])
    }

    @Test func customOnesStandClosestToTheContent() {
        #expect(
            names([custom("a"), .disclosureIndicator()].arranged(at: .trailing, isEditing: false))
                == ["a", "disclosureIndicator"])
        let leading = CellAccessory.custom("a", size: .zero, placement: .leading)
        #expect(names([leading, .delete()].arranged(at: .leading, isEditing: true)) == ["delete", "a"])
    }

    @Test func customOnesGoBeforeAndBehindAKind() {
        typealias Sample = (CellAccessory.Position, [String])
        let table: [Sample] = [
            (.before(.disclosureIndicator), ["7", "a", "disclosureIndicator", "reorder"]),
            (.after(.disclosureIndicator), ["7", "disclosureIndicator", "a", "reorder"]),
            (.before(.checkmark), ["a", "7", "disclosureIndicator", "reorder"]),
            (.after(.checkmark), ["7", "disclosureIndicator", "reorder", "a"]),
        ]
        for (position, expected) in table {
            let given: [CellAccessory] = [
                custom("a", position), .reorder(displayed: .always), .disclosureIndicator(), .label("7"),
            ]
            #expect(names(given.arranged(at: .trailing, isEditing: false)) == expected, "\(position)")
        }
    }

    @Test func eachIsShownWhenItsKindIs() {
        let editing: Set<CellAccessory.Kind> = [.delete, .insert, .multiselect, .reorder]
        let all: [CellAccessory] = [
            .disclosureIndicator(), .detail(), .checkmark(), .delete(), .insert(), .reorder(), .multiselect(),
            .outlineDisclosure(), .label("1"), custom("a"),
        ]
        #expect(Set(all.map(\.kind)) == Set(CellAccessory.Kind.allCases))
        for accessory in all {
            #expect(accessory.isDisplayed(whileEditing: true))
            #expect(accessory.isDisplayed(whileEditing: false) == !editing.contains(accessory.kind))
        }
        #expect(!CellAccessory.checkmark(displayed: .whenNotEditing).isDisplayed(whileEditing: true))
    }

    @Test func aTintThatIsGivenHolds() {
        #expect(CellAccessory.delete().resolvedTintColor == .destructive)
        #expect(CellAccessory.insert().resolvedTintColor == .constructive)
        var checkmark = CellAccessory.checkmark()
        #expect(checkmark.resolvedTintColor == .constructive)
        checkmark.tintColor = "gold"
        #expect(checkmark.resolvedTintColor == "gold")
    }

    @Test func hiddenOnesKeepTheirRoom() {
        var content = ContentConfiguration.cell()
        content.text = "abc"
        var cell = ListCell(content: content)
        cell.accessories = [.checkmark()]
        let shown = cell.layout(width: 300, measuring: Lists.measure)
        cell.accessories[0].isHidden = true
        let hidden = cell.layout(width: 300, measuring: Lists.measure)
        #expect(shown.contentFrame == hidden.contentFrame && hidden.accessories[0].accessory.isHidden)
    }

    @Test func leadingOnesAreIndentedUnlessTheyShallNotBe() {
        var content = ContentConfiguration.cell()
        content.text = "abc"
        var cell = ListCell(content: content)
        cell.accessories = [.custom("a", size: Size(width: 20, height: 20), placement: .leading)]
        cell.indentationLevel = 3
        cell.indentationWidth = 12
        // 36 points; 16 + 20 + 16 without them.
        var layout = cell.layout(width: 300, measuring: Lists.measure)
        #expect(layout.accessories[0].frame.minX == 52 && layout.textFrame?.minX == 88)
        cell.indentsAccessories = false
        layout = cell.layout(width: 300, measuring: Lists.measure)
        #expect(layout.accessories[0].frame.minX == 16 && layout.textFrame?.minX == 88)
    }

    @Test func moreThanAHundredAreNotPlaced() {
        var cell = ListCell(content: .cell())
        cell.accessories = Array(repeating: custom("a", .after(.label)), count: 5_000)
        let layout = cell.layout(width: 300, measuring: Lists.measure)
        #expect(layout.accessories.count == 100 && !layout.diagnostics.isEmpty)
    }
}
