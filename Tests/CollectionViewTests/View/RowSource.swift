import CollectionLayout
import CollectionView
import LayoutTestSupport

/// A cell that remembers what it went through.
class RowCell: ReusableView {
    var text = ""
    var path: IndexPath?
    var reuses = 0
    var configurations = 0
    var attributes: [LayoutAttributes] = []
    var state = CellState()
    /// The height that it prefers; `nil` for the one it is given.
    var preferredHeight: Double?
    var questions = 0

    required init() {}

    func prepareForReuse() { reuses += 1 }

    func apply(_ attributes: LayoutAttributes) { self.attributes.append(attributes) }

    func apply(_ state: CellState) { self.state = state }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        questions += 1
        guard let preferredHeight else { return attributes }
        var copy = attributes
        copy.layoutFrame = Rect(
            origin: attributes.layoutFrame.origin,
            size: Size(width: attributes.layoutFrame.width, height: preferredHeight))
        return copy
    }
}

final class RowHeader: RowCell {}

/// Sections of named rows.
final class RowSource: CollectionViewDataSource {
    var sections: [[String]]
    /// Names whose cells come from another registration.
    var others: Set<String> = []
    /// The heights that cells prefer, by name.
    var heights: [String: Double] = [:]
    private(set) var requests: [IndexPath] = []
    private(set) var countings = 0

    let registration = CellRegistration<RowCell, String> { cell, path, name in
        cell.text = name
        cell.path = path
        cell.configurations += 1
    }
    let otherRegistration = CellRegistration<RowCell, String> { cell, _, name in cell.text = name }
    let header = SupplementaryRegistration<RowHeader>(kind: .header) { view, kind, path in
        view.text = "\(kind.rawValue) \(path)"
        view.configurations += 1
    }

    init(_ sections: [[String]]) { self.sections = sections }

    /// One section of rows called r0, r1 and so on.
    convenience init(rows: Int) { self.init([(0..<rows).map { "r\($0)" }]) }

    func numberOfSections(in view: CollectionView) -> Int { sections.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        countings += 1
        return sections[section].count
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        requests.append(path)
        let name = sections[path.section][path.item]
        let cell = view.dequeueCell(
            using: others.contains(name) ? otherRegistration : registration, for: path, item: name)
        cell.preferredHeight = heights[name]
        return cell
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        let supplementary = view.dequeueSupplementary(using: header, for: path)
        supplementary.preferredHeight = heights[kind.rawValue]
        return supplementary
    }
}

/// Writes down what a view reports, and answers what it is told to.
final class RowDelegate: CollectionViewDelegate {
    var log: [String] = []
    var forbidden: Set<String> = []

    private func allow(_ what: String, _ path: IndexPath) -> Bool {
        log.append("\(what) \(path)")
        return !forbidden.contains(what)
    }

    func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool {
        allow("shouldHighlight", path)
    }

    func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath) {
        log.append("didHighlight \(path)")
    }

    func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath) {
        log.append("didUnhighlight \(path)")
    }

    func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
        allow("shouldSelect", path)
    }

    func collectionView(_ view: CollectionView, shouldDeselectItemAt path: IndexPath) -> Bool {
        allow("shouldDeselect", path)
    }

    func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) { log.append("didSelect \(path)") }

    func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath) {
        log.append("didDeselect \(path)")
    }
}

/// Writes down what comes into sight and what goes.
final class SightDelegate: CollectionViewDelegate {
    var log: [String] = []
    var scrolls = 0

    func collectionView(
        _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes
    ) {
        log.append("+\(attributes.element)")
    }

    func collectionView(
        _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes
    ) {
        log.append("-\(attributes.element)")
    }

    func collectionViewDidScroll(_ view: CollectionView) { scrolls += 1 }
}

/// A view 100 wide and 100 high, laid out: five rows of 20 are seen.
func makeView(
    _ source: RowSource, _ layout: any CollectionViewLayout = RowTable(),
    bounds: Rect = Rect(x: 0, y: 0, width: 100, height: 100)
) -> CollectionView {
    let view = CollectionView(layout: layout, bounds: bounds)
    view.layoutMargins = .zero
    view.dataSource = source
    view.layoutIfNeeded()
    return view
}

extension CollectionView {
    /// The names of the rows in sight, from top to bottom.
    var seen: [String] {
        visibleElements.filter { $0.element.kind == nil }.sorted { $0.layoutFrame.minY < $1.layoutFrame.minY }
            .map { (cell(at: $0.indexPath) as? RowCell)?.text ?? "?" }
    }

    func row(_ section: Int, _ item: Int) -> RowCell? { cell(at: path(section, item)) as? RowCell }
}
