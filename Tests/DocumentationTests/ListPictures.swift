import CollectionLayout
import CollectionView

@testable import EPGRender

/// Lists with rows that measured themselves, in a view.
extension Picture {
    static let lists =
        ListConfiguration.Appearance.allCases.map { appearance in
            Picture(list: "list-\(name(of: appearance))", "A list", appearance) { path in
                row(path, in: appearance)
            }
        } + [
            Picture(list: "list-accessories", "Images and accessories", .insetGrouped, counts: [6]) { path in
                accessories(path)
            }
        ]

    init(
        list name: String, _ title: String, _ appearance: ListConfiguration.Appearance, counts: [Int] = [3, 2],
        row: @escaping @Sendable (IndexPath) -> ListCell
    ) {
        self.init(name) { theme in
            let configuration = ListSamples.configuration(appearance)
            let view = CollectionView(
                layout: CompositionalLayout.list(using: configuration),
                bounds: Rect(x: 0, y: 0, width: 320, height: 1000))
            view.layoutMargins = EdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 16)
            let source = ListPictureSource(counts: counts, appearance: appearance, row: row)
            view.dataSource = source
            view.layoutIfNeeded()
            let cells = source.cells(in: view)
            let picture = LayoutSVG(title: title, theme: theme, ground: configuration.resolvedBackgroundColor) {
                if let cell = cells[$0.element] { return .row(cell) }
                let isGround = $0.element.kind == .listGroupBackground
                return .ground(
                    isGround ? .secondaryGroupedBackground : .separator,
                    cornerRadius: isGround ? appearance.groupCornerRadius : 0)
            }
            let size = Size(width: 320, height: view.contentSize.height + 8)
            return picture.text(of: view.visibleElements, in: Rect(origin: .zero, size: size))
        }
    }

    private static func name(of appearance: ListConfiguration.Appearance) -> String {
        switch appearance {
        case .plain, .grouped, .sidebar: appearance.rawValue
        case .insetGrouped: "inset-grouped"
        case .sidebarPlain: "sidebar-plain"
        }
    }

    private static let names = [["Harbour One", "Lakeside", "Kids’ Corner"], ["Film Night", "Low Tide"]]

    private static func row(_ path: IndexPath, in appearance: ListConfiguration.Appearance) -> ListCell {
        var content = ContentConfiguration.cell(for: appearance)
        content.text = names[path.section][path.item]
        if appearance.isSidebar {
            content.image = CellImage(name: "tv", size: Size(width: 24, height: 24))
        }
        // Inset groups have a ground of their own behind the rows.
        let background = appearance == .insetGrouped ? .clear() : BackgroundConfiguration.cell(for: appearance)
        let state = CellState(isSelected: appearance.isSidebar && path == IndexPath(section: 0, item: 1))
        return ListCell(content: content.updated(for: state), background: background.updated(for: state))
    }

    private static func accessories(_ path: IndexPath) -> ListCell {
        var cell = ListSamples.station("Harbour One", now: "The Lighthouse")
        cell.background = .clear()
        switch path.item {
        case 1: cell.accessories = [.checkmark()]
        case 2: cell.accessories = [.detail(), .disclosureIndicator()]
        case 3: cell.accessories = [.delete(displayed: .always), .reorder(displayed: .always)]
        case 4: cell.accessories = [.multiselect(displayed: .always), .outlineDisclosure()]
        case 5:
            var content = ContentConfiguration.valueCell()
            content.text = "Language"
            content.secondaryText = "English"
            cell = ListCell(content: content, background: .clear())
            cell.accessories = [.disclosureIndicator()]
        default: break
        }
        return cell
    }
}

/// Rows and headers for the pictures of lists.
private final class ListPictureSource: CollectionViewDataSource {
    let counts: [Int]
    let appearance: ListConfiguration.Appearance
    let rows: CellRegistration<RowView, ListCell>
    let headers: SupplementaryRegistration<RowView>
    let row: (IndexPath) -> ListCell

    init(
        counts: [Int], appearance: ListConfiguration.Appearance, row: @escaping @Sendable (IndexPath) -> ListCell
    ) {
        self.counts = counts
        self.appearance = appearance
        self.row = row
        rows = CellRegistration { view, _, cell in view.cell = cell }
        headers = SupplementaryRegistration(kind: .header) { view, _, path in
            var content = ContentConfiguration.header(for: appearance)
            content.text = path.section == 0 ? "Stations" : "Later"
            view.cell = ListCell(content: content, background: .headerFooter(for: appearance))
        }
    }

    func numberOfSections(in view: CollectionView) -> Int { counts.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { counts[section] }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        view.dequeueCell(using: rows, for: path, item: row(path))
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        view.dequeueSupplementary(using: headers, for: path)
    }

    /// What each visible element shows.
    func cells(in view: CollectionView) -> [LayoutElement: ListCell] {
        var cells: [LayoutElement: ListCell] = [:]
        for attributes in view.visibleElements {
            let content: (any ReusableView)? =
                switch attributes.element {
                case .item(let path): view.cell(at: path)
                case .supplementary(let kind, let path): view.supplementaryView(ofKind: kind, at: path)
                case .decoration: nil
                }
            cells[attributes.element] = (content as? RowView)?.cell
        }
        return cells
    }
}
