import CollectionLayout

/// The stations as a flow: as many beside each other as fit, the gaps of full rows grown equally.
struct StationsLayout: Sendable {
    let width: ViewWidth

    /// The flow of so many stations, prepared for the width.
    func prepared(_ count: Int) -> FlowLayout {
        var layout = FlowLayout()
        layout.itemSize = size
        layout.minimumInteritemSpacing = width.spacing
        layout.minimumLineSpacing = width.spacing
        layout.sectionInset = EdgeInsets(
            top: 4, leading: width.margin, bottom: 16, trailing: width.margin)
        layout.prepare(in: width.container([count]))
        return layout
    }

    /// Of a logo with number and name.
    private var size: Size {
        switch width {
        case .phone: Size(width: 102, height: 128)
        case .tablet: Size(width: 120, height: 136)
        case .desktop: Size(width: 128, height: 144)
        case .television: Size(width: 152, height: 164)
        }
    }
}
