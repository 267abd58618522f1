extension CompositionalLayout {
    public mutating func prepare(in container: LayoutContainer) {
        var container = container
        var problems = LayoutDiagnostics()
        container.makeFinite(&problems)
        earlierVisible = prepared?.visible
        let pending = self.pending
        let forgetsMeasures = self.forgetsMeasures
        (self.pending, self.forgetsMeasures, isFollowing) = (nil, false, false)
        if pending?.invalidatesEverything != true, prepared?.container.hasGeometry(of: container) == true {
            update(in: container, with: pending, problems: problems)
        } else {
            let across = configuration.scrollDirection.crossing
            let known = prepared?.container.length(across)
            let isAsWide = known.map { ($0 - container.length(across)).magnitude < Size.tolerance } ?? false
            if forgetsMeasures || !isAsWide {
                measures = ElementMeasures()
            }
            found = problems
            prepareEverything(in: container)
        }
        callHandlers()
    }

    /// Solves all sections; keeps what was measured.
    ///
    /// - Parameter container: Its lengths are finite.
    private mutating func prepareEverything(in container: LayoutContainer) {
        let (context, plan) = context(for: container)
        var count = max(0, container.counts.sectionCount)
        if count > Self.greatestSectionCount {
            found.add(
                LayoutDiagnostic(
                    .limitReached, section: Self.greatestSectionCount,
                    detail: "of \(count) sections the first \(Self.greatestSectionCount) are placed"))
            count = Self.greatestSectionCount
        }
        var sections: [SolvedSection] = []
        sections.reserveCapacity(count)
        for index in 0..<count {
            sections.append(solved(index, container: container, context: context, neighbour: sections.last?.content))
        }
        let spacing = found.length(configuration.interSectionSpacing, "interSectionSpacing")
        prepared = PreparedSections(
            container: container, context: context, plan: plan, sections: sections, spacing: spacing)
    }

    /// Makes anew what was invalidated.
    ///
    /// - Parameter problems: Those of the container.
    private mutating func update(
        in container: LayoutContainer, with pending: InvalidationContext?, problems: LayoutDiagnostics
    ) {
        for problem in problems.all { found.add(problem) }
        prepared?.container = container
        guard let pending, pending.namesAnything else { return }
        var changed: [Int: Set<LayoutElement>] = [:]
        for element in pending.elements {
            changed[element.indexPath.section, default: []].insert(element)
        }
        guard changed[IndexPath.wholeLayoutSection] == nil, var working = prepared else {
            found = problems
            return prepareEverything(in: container)
        }
        // Let go of, so that it is changed in place and not copied.
        prepared = nil
        var replaced: [Int: SolvedSection] = [:]
        for index in pending.sections where working.stack.sections.indices.contains(index) {
            replaced[index] = solved(index, container: container, context: working.context, neighbour: nil)
            changed[index] = nil
        }
        for (index, elements) in changed where working.stack.sections.indices.contains(index) {
            let layout = working.stack.sections[index].layout
            var earlier = working.withdraw(index)
            replaced[index] = SolvedSection(
                layout, index: index, itemCount: container.counts.itemCount(inSection: index),
                context: working.context, measures: measures, earlier: &earlier, changed: elements,
                diagnostics: &found)
        }
        working.replace(replaced, plan: context(for: container).plan)
        prepared = working
    }

    /// Asks the provider for a section and solves it.
    private mutating func solved(
        _ index: Int, container: LayoutContainer, context: SolvedSection.Context, neighbour: (any SectionContent)?
    ) -> SolvedSection {
        let layout = sectionProvider(index, context.environment)
        if layout == nil {
            found.add(LayoutDiagnostic(.unknownIndexPath, section: index, detail: "the section provider gave none"))
        }
        var none = SolvedSection.Earlier.none
        return SolvedSection(
            layout ?? LayoutSection(arrangement: EmptyArrangement()), index: index,
            itemCount: container.counts.itemCount(inSection: index), context: context, measures: measures,
            earlier: &none, neighbour: neighbour, diagnostics: &found)
    }

    /// What sections share in a container, and the boundary of the whole layout.
    private mutating func context(
        for container: LayoutContainer
    ) -> (context: SolvedSection.Context, plan: BoundaryPlan) {
        let axis = configuration.scrollDirection
        let whole = Size(width: container.length(.horizontal), height: container.length(.vertical))
        let plan = BoundaryPlan(
            configuration.boundarySupplementaryItems, axis: axis, container: whole,
            section: IndexPath.wholeLayoutSection, measures: measures, diagnostics: &found)
        var room = whole
        room[axis.crossing] = (whole[axis.crossing] - plan.crossStart - plan.crossEnd).asLength
        let references: [ContentInsetsReference: EdgeInsets] = [
            .safeArea: container.insets(from: .fromSafeArea).only(axis.crossing),
            .layoutMargins: container.insets(from: .fromLayoutMargins).only(axis.crossing),
        ]
        let automatic =
            configuration.contentInsetsReference == .automatic ? .safeArea : configuration.contentInsetsReference
        let environment = LayoutEnvironment(
            container: LayoutEnvironment.Container(
                contentSize: room, contentInsets: references[automatic] ?? .zero),
            layoutDirection: container.layoutDirection, pixels: container.pixels)
        let context = SolvedSection.Context(
            axis: axis, container: room, referenceInsets: references, automaticReference: automatic,
            environment: environment)
        return (context, plan)
    }
}

// MARK: - Containers

extension LayoutContainer {
    /// Brings its edges to finite numbers, with a diagnostic.
    fileprivate mutating func makeFinite(_ diagnostics: inout LayoutDiagnostics) {
        let given = bounds
        let edges = [given.minX, given.minY, given.maxX, given.maxY].map(\.asDistance)
        bounds = Rect(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
        if bounds != given {
            diagnostics.add(LayoutDiagnostic(.unusableLength, detail: "the bounds are \(given)"))
        }
        contentInset = contentInset.usable(name: "contentInset", section: nil, diagnostics: &diagnostics)
        safeAreaInsets = safeAreaInsets.usable(name: "safeAreaInsets", section: nil, diagnostics: &diagnostics)
        layoutMargins = layoutMargins.usable(name: "layoutMargins", section: nil, diagnostics: &diagnostics)
    }

    /// Whether two are alike but for the content offset and the data.
    fileprivate func hasGeometry(of other: LayoutContainer) -> Bool {
        bounds.size.isNearly(other.bounds.size) && contentInset == other.contentInset
            && safeAreaInsets == other.safeAreaInsets && layoutMargins == other.layoutMargins
            && layoutDirection == other.layoutDirection && pixels == other.pixels
    }
}

extension EdgeInsets {
    /// The distances along one axis, 0 along the other.
    fileprivate func only(_ axis: Axis) -> EdgeInsets {
        axis == .horizontal
            ? EdgeInsets(leading: leading, trailing: trailing) : EdgeInsets(top: top, bottom: bottom)
    }
}

extension InvalidationContext {
    /// Whether single sections or elements are named.
    fileprivate var namesAnything: Bool { !elements.isEmpty || !sections.isEmpty }
}
