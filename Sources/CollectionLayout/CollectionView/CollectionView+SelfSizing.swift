extension CollectionView {
    /// Asks the views that are new, or have another size than when they were asked last, for the size that they prefer,
    /// and invalidates the layout, once for all that it takes.
    ///
    /// - Returns: Whether the layout took another size of an element of which it had taken one in this pass.
    func askForSizes(_ pass: inout LayoutPass) -> Bool {
        var isRepetition = false
        let elements = pass.unfitted
        pass.unfitted = []
        pass.unsettled = nil
        var taken: [LayoutElement: Size] = [:]
        for element in elements {
            guard let current = shown[element], let content = current.content else { continue }
            let original = current.attributes
            guard current.fitted != original.layoutFrame.size else { continue }
            shown[element]?.fitted = original.layoutFrame.size
            let size = usable(content.preferredAttributes(fitting: original).layoutFrame, for: element)
            guard size != original.layoutFrame.size else { continue }
            var preferred = original
            preferred.layoutFrame = Rect(origin: original.layoutFrame.origin, size: size)
            guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            if !pass.measured.insert(element).inserted { isRepetition = true }
            pass.unsettled = element
            taken[element] = size
        }
        guard !taken.isEmpty else { return false }
        invalidate(with: layout.invalidationContext(forPreferredSizes: taken))
        return isRepetition
    }

    /// The size of a frame that a view prefers, with a diagnostic where it can't be used.
    private func usable(_ frame: Rect, for element: LayoutElement) -> Size {
        Size(
            width: ownDiagnostics.length(frame.width, "the preferred width", element: element),
            height: ownDiagnostics.length(frame.height, "the preferred height", element: element))
    }

    func noteUnsettled(_ pass: LayoutPass) {
        guard let element = pass.unsettled else { return }
        ownDiagnostics.add(
            LayoutDiagnostic(
                .unsettledEstimates, element: element,
                detail: "asked for another size \(Self.selfSizingLimit) times"))
    }
}
