import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct ContentConfigurationTests {
    private func state(_ change: (inout CellState) -> Void) -> CellState {
        var state = CellState()
        change(&state)
        return state
    }

    @Test func disabledContentIsPaleUntilEnabled() {
        let content = ContentConfiguration(style: .subtitleCell)
        let disabled = content.updated(for: state { $0.isDisabled = true })
        expectEqual(disabled.textProperties.color, .tertiaryLabel)
        expectEqual(disabled.secondaryTextProperties.color, .tertiaryLabel)
        expectEqual(disabled.imageProperties.tintColor, .tertiaryLabel)
        expectEqual(disabled.updated(for: CellState()), content)
    }

    @Test func explicitColorsAreKept() {
        var content = ContentConfiguration(style: .cell)
        content.textProperties.color = "brown"
        let disabled = content.updated(for: state { $0.isDisabled = true })
        expectEqual(disabled.textProperties.color, "brown")
        expectEqual(disabled.imageProperties.tintColor, .tertiaryLabel)
    }

    @Test func focusChangesTextColor() {
        let focused = state { $0.isFocused = true }
        expectEqual(ContentConfiguration(style: .cell).updated(for: focused).textProperties.color, .selectedLabel)
        let selected = CellState(isSelected: true)
        expectEqual(ContentConfiguration(style: .cell).updated(for: selected).textProperties.color, .label)
    }

    @Test func backgroundsFollowState() {
        typealias Sample = (ListConfiguration.Appearance, CellState, ColorToken?)
        let highlighted = CellState(isHighlighted: true)
        let selected = CellState(isSelected: true, isHighlighted: true)
        let table: [Sample] = [
            (.plain, CellState(), .systemBackground), (.plain, highlighted, .highlight), (.plain, selected, .selection),
            (.grouped, CellState(), .secondaryGroupedBackground), (.insetGrouped, selected, .selection),
        ]
        for (appearance, state, color) in table {
            let background = BackgroundConfiguration.cell(for: appearance)
            expectEqual(background.updated(for: state).backgroundColor, color, "\(appearance) \(state)")
            expectEqual(background.updated(for: state).updated(for: CellState()), background)
        }
        var own = BackgroundConfiguration.cell(for: .plain)
        own.backgroundColor = "brown"
        expectEqual(own.updated(for: selected).backgroundColor, "brown")
        expectEqual(BackgroundConfiguration.clear().updated(for: selected).backgroundColor, nil)
    }

    @Test func cellUpdatesContentAndBackgroundForState() {
        var cell = ListCell(content: ContentConfiguration(style: .cell), background: .cell(for: .plain))
        cell.accessories = [.reorder()]
        let focused = cell.updated(for: state { $0.isFocused = true })
        expectEqual(focused.content.textProperties.color, .selectedLabel)
        expectEqual(focused.background?.backgroundColor, .tint)
        let editing = cell.updated(for: state { $0.isEditing = true })
        expectEqual(editing.layout(width: 300, measuring: Lists.measure).accessories.count, 1)
        #expect(cell.layout(width: 300, measuring: Lists.measure).accessories.isEmpty)
        expectEqual(editing.updated(for: CellState()), cell)
    }

    @Test func backgroundsAreInset() {
        var background = BackgroundConfiguration.cell(for: .plain)
        background.backgroundInsets = EdgeInsets(top: .nan, leading: 10, bottom: 4, trailing: 30)
        let bounds = Rect(x: 0, y: 0, width: 100, height: 44)
        expectEqual(background.frame(in: bounds), Rect(x: 10, y: 0, width: 60, height: 40))
        expectEqual(background.frame(in: bounds, direction: .rightToLeft), Rect(x: 30, y: 0, width: 60, height: 40))
    }

    @Test func appearancesHaveTheirDefaultContents() {
        for appearance in ListConfiguration.Appearance.allCases {
            #expect(!ContentConfiguration.cell(for: appearance).style.isHeaderOrFooter)
            #expect(ContentConfiguration.header(for: appearance).style.isHeaderOrFooter)
            #expect(ContentConfiguration.footer(for: appearance).style.isHeaderOrFooter)
        }
        expectEqual(ContentConfiguration.header(for: .insetGrouped), ContentConfiguration(style: .groupedHeader))
        #expect(ContentConfiguration(style: .valueCell).prefersSideBySideTextAndSecondaryText)
        expectEqual(
            ContentConfiguration(style: .cell).margins, EdgeInsets(top: 11, leading: 16, bottom: 11, trailing: 8))
        expectEqual(
            ContentConfiguration(style: .groupedHeader).margins, EdgeInsets(top: 17, leading: 8, bottom: 6, trailing: 8)
        )
    }

    @Test func textsSideBySideAreMeasuredInOneLine() {
        var content = ContentConfiguration(style: .valueCell)
        content.text = "abc"
        content.secondaryText = "xyz"
        var requests: [TextRequest] = []
        let layout = ListCell(content: content).layout(width: 300) { request in
            requests.append(request)
            return Lists.measure(request)
        }
        #expect(layout.isSideBySide && requests.map(\.text) == ["abc", "xyz"])
        #expect(requests.allSatisfy { $0.width == .infinity && $0.properties.numberOfLines == 1 })
    }

    @Test func textIsMeasuredAfterTransformation() {
        var content = ContentConfiguration(style: .groupedHeader)
        content.text = "straße"
        var requests: [TextRequest] = []
        _ = ListCell(content: content).layout(width: 300) { request in
            requests.append(request)
            return Lists.measure(request)
        }
        expectEqual(requests.map(\.text), ["STRASSE"])
        expectEqual(requests.map(\.width), [268])
        expectEqual(requests.first?.properties.style, .footnote)
    }
}

@Suite struct CellAccessoryTests {
    private func custom(_ name: String, _ position: CellAccessory.Position = .automatic) -> CellAccessory {
        .custom(name, size: Size(width: 10, height: 10), placement: .trailing, position: position)
    }

    private func names(_ accessories: [CellAccessory]) -> [String] {
        accessories.map { $0.text.isEmpty ? $0.kind.rawValue : $0.text }
    }

    @Test func accessoriesHaveFixedOrderUnlessPositioned() {
        do {
            let given: [CellAccessory] = [
                .reorder(displayed: .always), .disclosureIndicator(), .label("7"), .checkmark(),
            ]
            for accessories in [given, given.reversed()] {
                expectEqual(
                    names(accessories.arranged(at: .trailing, isEditing: false)),
                    ["7", "checkmark", "disclosureIndicator", "reorder"])
            }
            expectEqual(
                names([CellAccessory.multiselect(), .insert(), .delete()].arranged(at: .leading, isEditing: true)),
                ["delete", "insert", "multiselect"])
        }
        // Custom accessories are next to the content.
        do {
            expectEqual(
                names([custom("a"), .disclosureIndicator()].arranged(at: .trailing, isEditing: false)),
                ["a", "disclosureIndicator"])
            let leading = CellAccessory.custom("a", size: .zero, placement: .leading)
            expectEqual(names([leading, .delete()].arranged(at: .leading, isEditing: true)), ["delete", "a"])
        }
        // Custom accessories can precede or follow a kind.
        do {
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
                expectEqual(names(given.arranged(at: .trailing, isEditing: false)), expected, "\(position)")
            }
        }
    }

    @Test func accessoriesHaveDefaultDisplayedStates() {
        let editing: Set<CellAccessory.Kind> = [.delete, .insert, .multiselect, .reorder]
        let all: [CellAccessory] = [
            .disclosureIndicator(), .detail(), .checkmark(), .delete(), .insert(), .reorder(), .multiselect(),
            .outlineDisclosure(), .label("1"), custom("a"),
        ]
        expectEqual(Set(all.map(\.kind)), Set(CellAccessory.Kind.allCases))
        for accessory in all {
            #expect(accessory.isDisplayed(whileEditing: true))
            expectEqual(accessory.isDisplayed(whileEditing: false), !editing.contains(accessory.kind))
        }
        #expect(!CellAccessory.checkmark(displayed: .whenNotEditing).isDisplayed(whileEditing: true))
    }

    @Test func hiddenAccessoriesKeepTheirSpace() {
        var content = ContentConfiguration(style: .cell)
        content.text = "abc"
        var cell = ListCell(content: content)
        cell.accessories = [.checkmark()]
        let shown = cell.layout(width: 300, measuring: Lists.measure)
        cell.accessories[0].isHidden = true
        let hidden = cell.layout(width: 300, measuring: Lists.measure)
        #expect(shown.contentFrame == hidden.contentFrame && hidden.accessories[0].accessory.isHidden)
    }

    @Test func leadingAccessoriesAreIndentedUnlessDisabled() {
        var content = ContentConfiguration(style: .cell)
        content.text = "abc"
        var cell = ListCell(content: content)
        cell.accessories = [.custom("a", size: Size(width: 20, height: 20), placement: .leading)]
        cell.indentationLevel = 3
        cell.indentationWidth = 12
        // 36 points; 16 + 20 + 16 without them.
        var layout = cell.layout(width: 300, measuring: Lists.measure)
        expectEqual(layout.accessories[0].frame.minX, 52)
        expectEqual(layout.textFrame?.minX, 88)
        cell.indentsAccessories = false
        layout = cell.layout(width: 300, measuring: Lists.measure)
        expectEqual(layout.accessories[0].frame.minX, 16)
        expectEqual(layout.textFrame?.minX, 88)
    }

    @Test func atMostOneHundredAccessoriesArePlaced() {
        var cell = ListCell(content: ContentConfiguration(style: .cell))
        cell.accessories = Array(repeating: custom("a", .after(.label)), count: 5_000)
        let layout = cell.layout(width: 300, measuring: Lists.measure)
        #expect(layout.accessories.count == 100 && !layout.diagnostics.isEmpty)
    }
}
