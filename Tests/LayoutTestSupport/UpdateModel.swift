package import CollectionLayout

/// A model of batch updates: sections of numbered items. Elements are removed and inserted one after the other.
///
/// It follows UIKit's rules as presented in WWDC 2018, "A Tour of UICollectionView": deletions are applied by old
/// positions in descending order, insertions by new positions in ascending order.
package struct UpdateModel {
    package struct Section: Equatable {
        package let id: Int
        package var items: [Int]
    }

    package private(set) var old: [Section] = []
    package private(set) var new: [Section] = []
    package private(set) var steps: [@Sendable (inout BatchUpdates) -> Void] = []
    package private(set) var reloaded: Set<Int> = []
    package private(set) var reconfigured: Set<Int> = []
    private var nextID = 0

    /// Creates random sections and consistent random changes.
    package init(using random: inout some RandomNumberGenerator) {
        old = (0..<Int.random(in: 0...5, using: &random)).map { _ in section(using: &random) }
        let from = IndexedPlaces(old)

        // Choose the sections to delete and to move, and the positions of new and moved ones.
        let choices = old.map { _ in Int.random(in: 0..<6, using: &random) }
        let deleted = old.indices.filter { choices[$0] == 0 }
        let moved = old.indices.filter { choices[$0] == 1 }
        var sections = old.indices.filter { choices[$0] > 1 }.map { old[$0] }
        let added = (0..<Int.random(in: 0...2, using: &random)).map { _ in section(using: &random) }
        for section in deleted { steps.append { $0.deleteSections([section]) } }
        var insertions = added.map { (nil as Int?, $0) } + moved.map { ($0, old[$0]) }
        insertions.shuffle(using: &random)
        let places = Self.places(for: insertions.count, among: sections.count, using: &random)
        for ((source, section), target) in zip(insertions, places) {
            sections.insert(section, at: target)
            if let source {
                steps.append { $0.moveSection(source, to: target) }
            } else {
                steps.append { $0.insertSections([target]) }
            }
        }

        // Delete items of remaining sections, and move items of any section.
        let addedIDs = Set(added.map(\.id))
        let deletedIDs = Set(deleted.map { old[$0].id })
        var movedItems: [Int] = []
        for (section, content) in old.enumerated() {
            for (item, id) in content.items.enumerated() {
                let place = IndexPath(section: section, item: item)
                switch Int.random(in: 0..<8, using: &random) {
                case 0 where !deletedIDs.contains(content.id):
                    steps.append { $0.deleteItems(at: [place]) }
                    sections = sections.map { $0.without(id) }
                case 1:
                    movedItems.append(id)
                    sections = sections.map { $0.without(id) }
                    if Int.random(in: 0..<4, using: &random) == 0 { mark(id, at: place, using: &random) }
                case 2 where !deletedIDs.contains(content.id): mark(id, at: place, using: &random)
                default: break
                }
            }
        }
        movedItems.shuffle(using: &random)
        guard !sections.isEmpty else {
            // Without a target section, all items are deleted with their sections.
            new = []
            return
        }
        var arrivals = sections.map { _ in [Int]() }
        for id in movedItems { arrivals[Int.random(in: sections.indices, using: &random)].append(id) }
        for (target, section) in sections.enumerated() {
            let created = (0..<Int.random(in: 0...2, using: &random)).map { _ in makeID() }
            // Items moved into an inserted section are listed with its other items, which are all new.
            let all = (arrivals[target] + created).shuffled(using: &random)
            let places = Self.places(for: all.count, among: section.items.count, using: &random)
            for (id, item) in zip(all, places) {
                sections[target].items.insert(id, at: item)
                let place = IndexPath(section: target, item: item)
                if let source = from[id] {
                    steps.append { $0.moveItem(at: source, to: place) }
                } else if !addedIDs.contains(section.id) || Bool.random(using: &random) {
                    steps.append { $0.insertItems(at: [place]) }
                }
            }
        }
        new = sections
    }

    /// The index paths of items, by number.
    package struct IndexedPlaces {
        private let places: [Int: IndexPath]

        package init(_ sections: [Section]) {
            let all = sections.enumerated().flatMap { section, content in
                content.items.enumerated().map { ($1, IndexPath(section: section, item: $0)) }
            }
            places = Dictionary(uniqueKeysWithValues: all)
        }

        package subscript(id: Int) -> IndexPath? { places[id] }
    }

    package static func counts(_ sections: [Section]) -> ItemCounts { ItemCounts(sections.map(\.items.count)) }

    /// Returns batch updates with the changes recorded in this order.
    package static func record(_ steps: [@Sendable (inout BatchUpdates) -> Void]) -> BatchUpdates {
        var updates = BatchUpdates()
        for step in steps { step(&updates) }
        return updates
    }

    private mutating func mark(_ id: Int, at place: IndexPath, using random: inout some RandomNumberGenerator) {
        if Bool.random(using: &random) {
            reloaded.insert(id)
            steps.append { $0.reloadItems(at: [place]) }
        } else {
            reconfigured.insert(id)
            steps.append { $0.reconfigureItems(at: [place]) }
        }
    }

    private mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    private mutating func section(using random: inout some RandomNumberGenerator) -> Section {
        Section(id: makeID(), items: (0..<Int.random(in: 0...5, using: &random)).map { _ in makeID() })
    }

    /// Returns distinct positions, in ascending order, for `count` arrivals among the remaining elements.
    private static func places(
        for count: Int, among others: Int, using random: inout some RandomNumberGenerator
    ) -> [Int] {
        (0..<(count + others)).shuffled(using: &random).prefix(count).sorted()
    }
}

extension UpdateModel.Section {
    fileprivate func without(_ id: Int) -> UpdateModel.Section {
        UpdateModel.Section(id: self.id, items: items.filter { $0 != id })
    }
}
