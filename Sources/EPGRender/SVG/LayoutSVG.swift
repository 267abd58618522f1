package import CollectionLayout

/// What a layout places, as a picture: a box for each element, from the back to the front.
///
/// It draws what any ``CollectionViewLayout`` answers, in its total order. The same attributes give the same picture, byte
/// by byte. Hidden elements and those that have no area are not drawn; texts are cut off at the edges of their elements.
package struct LayoutSVG: Sendable {
    /// What is told of the picture to who doesn't see it.
    let title: String
    let theme: SVGTheme
    /// What a screen would show of the content; what lies outside is paler. `nil`, the default, for no frame.
    let viewport: Rect?
    /// The colour behind everything.
    let ground: ColorToken
    let look: @Sendable (LayoutAttributes) -> Look

    /// - Parameter look: How an element is drawn; by default as a box with its kind and its index path.
    package init(
        title: String, theme: SVGTheme = .light, viewport: Rect? = nil, ground: ColorToken = .groupedBackground,
        look: @escaping @Sendable (LayoutAttributes) -> Look = { .box(caption(of: $0)) }
    ) {
        self.title = title
        self.theme = theme
        self.viewport = viewport
        self.ground = ground
        self.look = look
    }

    /// Draws attributes within a part of the content.
    ///
    /// - Parameters:
    ///   - attributes: In any order; those outside of the rectangle are left out.
    ///   - rect: In the coordinates of the content; at least one point wide and high, whatever its numbers.
    /// - Returns: A whole SVG document.
    package func text(of attributes: [LayoutAttributes], in rect: Rect) -> String {
        let view = Rect(
            x: rect.minX.asDistance, y: rect.minY.asDistance, width: max(1, rect.width.asLength),
            height: max(1, rect.height.asLength))
        return SVGWriter.document(view: view, title: title, style: style) { svg in
            svg.rectangle(view, [("fill", colour(of: ground))])
            svg.lineBreak()
            for attributes in attributes.sorted(by: LayoutAttributes.isDrawnBefore)
            where isSeen(attributes, in: view) {
                draw(attributes, in: &svg)
                svg.lineBreak()
            }
            drawViewport(in: view, &svg)
        }
    }

    /// How an element is drawn.
    package enum Look: Sendable {
        /// A box in the colour of its sort (item, supplementary, decoration), with a caption; an empty one for none.
        case box(String)
        /// A plain ground, such as a separator or what lies behind a group.
        case ground(ColorToken, cornerRadius: Double)
        /// A row, a header or a footer of a list.
        case row(ListCell)
    }

    /// `header [0, 0]`, and for items the index path alone; only the item's number, or nothing, where that has no room.
    package static func caption(of attributes: LayoutAttributes) -> String {
        let path = attributes.indexPath
        var captions = ["\(path)", "\(path.item)"]
        if attributes.element.kind != nil { captions.insert("\(attributes.element)", at: 0) }
        // Seven points for a character: pictures may not depend on the fonts of the machine that makes them.
        return captions.first { Double($0.count) * 7 <= attributes.layoutFrame.width - 4 } ?? ""
    }

    private func isSeen(_ attributes: LayoutAttributes, in view: Rect) -> Bool {
        !attributes.isHidden && attributes.alpha > 0 && !attributes.layoutFrame.isEmpty
            && attributes.frame.intersects(view)
    }

    private var style: String {
        """
        text { fill: \(theme.text); } \
        .item { fill: \(theme.fill(of: .news)); } .supplementary { fill: \(theme.fill(of: .children)); } \
        .decoration { fill: \(theme.fill(of: .sport)); } .edge { fill: none; stroke: \(theme.dimText); \
        stroke-opacity: 0.5; } .outside { fill: \(theme.background); fill-opacity: 0.6; } \
        .viewport { fill: none; stroke: \(theme.now); stroke-width: 2; stroke-dasharray: 6 4; }
        """
    }
}
