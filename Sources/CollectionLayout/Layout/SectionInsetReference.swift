/// What the insets of a section are counted from (documented: `UICollectionViewFlowLayout.SectionInsetReference`).
public enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
    /// The content inset, the default.
    case fromContentInset
    /// What bars and notches leave.
    case fromSafeArea
    /// The margins that content keeps.
    case fromLayoutMargins
}

extension LayoutContainer {
    /// The insets that stand between the content inset and a reference: add them to those of a section.
    ///
    /// They are counted from inside the content inset, so that what a content inset covers already is not counted twice
    /// (chosen: the original says only what each reference is).
    public func insets(from reference: SectionInsetReference) -> EdgeInsets {
        switch reference {
        case .fromContentInset: .zero
        case .fromSafeArea: safeAreaInsets.exceeding(contentInset)
        case .fromLayoutMargins: layoutMargins.exceeding(contentInset)
        }
    }
}

extension EdgeInsets {
    /// How far each edge lies further inwards than another's; 0 where it doesn't.
    func exceeding(_ other: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: (top - other.top).asLength, leading: (leading - other.leading).asLength,
            bottom: (bottom - other.bottom).asLength, trailing: (trailing - other.trailing).asLength)
    }

    /// The insets with distances that a layout can work with.
    package var usable: EdgeInsets {
        EdgeInsets(
            top: top.asDistance, leading: leading.asDistance, bottom: bottom.asDistance, trailing: trailing.asDistance)
    }
}
