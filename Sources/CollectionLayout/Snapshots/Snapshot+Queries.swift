// MARK: - Sections

extension Snapshot {
    /// The number of sections (documented).
    public var numberOfSections: Int { order.count }

    /// All sections, in their order (documented).
    ///
    /// - Complexity: O(sections).
    public var sectionIdentifiers: [SectionID] { order.map { sections[$0].id } }

    /// The place of a section among all; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(1).
    public func indexOfSection(_ identifier: SectionID) -> Int? {
        tokens[identifier].map { sections[$0].index }
    }

    /// The section at a place among all; `nil` outside of them (chosen: the original asks its data source).
    ///
    /// - Complexity: O(1).
    public func sectionIdentifier(at index: Int) -> SectionID? {
        order.indices.contains(index) ? sections[order[index]].id : nil
    }

    /// The section that an item stands in; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(1).
    public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
        places[identifier].map { sections[$0.token].id }
    }
}

// MARK: - Items

extension Snapshot {
    /// The number of items in all sections (documented).
    ///
    /// - Complexity: O(1).
    public var numberOfItems: Int { places.count }

    /// All items, section by section (documented).
    ///
    /// - Complexity: O(items + sections).
    public var itemIdentifiers: [ItemID] { order.flatMap { sections[$0].items } }

    /// The number of items of a section (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)`` (chosen: the original traps).
    /// - Complexity: O(1).
    public func numberOfItems(inSection identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
        try sections[token(of: identifier)].items.count
    }

    /// The items of a section, in their order (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)`` (chosen: the original traps).
    /// - Complexity: O(1).
    public func itemIdentifiers(inSection identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> [ItemID] {
        try sections[token(of: identifier)].items
    }

    /// The place of an item in ``itemIdentifiers``, over all sections; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(log sections); ``indexPath(of:)`` is O(1).
    public func indexOfItem(_ identifier: ItemID) -> Int? {
        places[identifier].map(flatIndex(of:))
    }

    /// The section and the place in it where an item stands; `nil` for one that isn't there (chosen: the original asks
    /// its data source).
    ///
    /// - Complexity: O(1).
    public func indexPath(of identifier: ItemID) -> IndexPath? {
        places[identifier].map(path(of:))
    }

    /// The item at a path; `nil` where there is none (chosen: the original asks its data source).
    ///
    /// - Complexity: O(1).
    public func itemIdentifier(at path: IndexPath) -> ItemID? {
        guard order.indices.contains(path.section) else { return nil }
        let items = sections[order[path.section]].items
        return items.indices.contains(path.item) ? items[path.item] : nil
    }
}

// MARK: - As counts and as a value

/// A layout can be prepared for a snapshot as it is.
extension Snapshot: SectionCounts {
    public var sectionCount: Int { numberOfSections }

    public func itemCount(inSection section: Int) -> Int {
        order.indices.contains(section) ? sections[order[section]].items.count : 0
    }
}

extension Snapshot: Equatable {
    /// Whether sections, items, their order and what is marked for reloading are the same.
    ///
    /// - Complexity: O(items + sections).
    public static func == (lhs: Snapshot, rhs: Snapshot) -> Bool {
        lhs.marks == rhs.marks && lhs.hasSameContent(as: rhs)
    }

    /// Whether sections, items and their order are the same, whatever is marked.
    ///
    /// - Complexity: O(items + sections).
    public func hasSameContent(as other: Snapshot) -> Bool {
        order.count == other.order.count
            && zip(order, other.order).allSatisfy { mine, others in
                sections[mine].id == other.sections[others].id && sections[mine].items == other.sections[others].items
            }
    }
}

// MARK: - Look-ups that throw

extension Snapshot {
    func token(of identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
        guard let token = tokens[identifier] else { throw .unknownSection(identifier) }
        return token
    }

    func place(of identifier: ItemID) throws(SnapshotError<SectionID, ItemID>) -> Place {
        guard let place = places[identifier] else { throw .unknownItem(identifier) }
        return place
    }
}
