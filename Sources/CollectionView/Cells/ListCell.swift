public import CollectionLayout

/// The value of a list's row, header or footer, which a view displays; similar to `UICollectionViewListCell` in UIKit.
///
/// ```swift
/// var cell = ListCell(content: content)
/// cell.accessories = [.disclosureIndicator()]
/// let layout = cell.layout(width: 390, measuring: font.size)
/// attributes.frame = Rect(origin: attributes.frame.origin, size: layout.preferredSize)
/// ```
public struct ListCell: Hashable, Sendable {
    /// The texts and image with their margins.
    public var content: ContentConfiguration
    /// The background; `nil`, the default, for none.
    public var background: BackgroundConfiguration?
    /// The accessories in any order; see ``CellAccessory``. More than ``maximumAccessoryCount`` are not placed.
    public var accessories: [CellAccessory] = []
    /// The depth in an outline; 0 by default and for negative values.
    public var indentationLevel = 0
    /// The indentation of each level, in points; 10 by default.
    public var indentationWidth = 10.0
    /// Whether leading accessories are indented; `true` by default.
    public var indentsAccessories = true
    /// The margins of accessories, and of the content where there are none. 16 at both sides by default, as observed on
    /// phones.
    public var layoutMargins = EdgeInsets(leading: 16, trailing: 16)
    /// The state, which determines the visible accessories. To update the content and background, too, use
    /// ``updated(for:)``.
    public var state = CellState()

    /// The maximum number of accessories.
    public static let maximumAccessoryCount = 100
    /// The spacing between accessories, in points.
    public static let accessorySpacing = 8.0

    /// Creates a cell with the default margins, by default without accessories and background.
    public init(content: ContentConfiguration, background: BackgroundConfiguration? = nil) {
        self.content = content
        self.background = background
    }

    /// Returns empty content with the style of this cell, to be filled and assigned, as UIKit's
    /// `defaultContentConfiguration()`.
    public func defaultContentConfiguration() -> ContentConfiguration { ContentConfiguration(style: content.style) }

    /// Returns the cell for a state. UIKit updates its configurations automatically.
    public func updated(for state: CellState) -> ListCell {
        var copy = self
        copy.state = state
        copy.content = content.updated(for: state)
        copy.background = background?.updated(for: state)
        return copy
    }

    /// Computes the layout of the cell.
    ///
    /// - Parameters:
    ///   - height: The height of the cell, in which everything is centered; `nil` for the preferred height.
    ///   - pixels: The grid to which edges are snapped.
    ///   - measure: Called at most twice for each text and once for each label.
    public func layout(
        width: Double, height: Double? = nil, direction: LayoutDirection = .leftToRight,
        pixels: PixelGrid = PixelGrid(scale: 1), measuring measure: TextMeasurer
    ) -> ListCellLayout {
        var solver = ListCellSolver(cell: self, width: width, pixels: pixels)
        let layout = solver.solve(height: height, measure: measure)
        return direction == .rightToLeft ? layout.mirrored() : layout
    }
}

/// The frames of a cell's parts, relative to its upper-left corner. All values are finite.
public struct ListCellLayout: Hashable, Sendable {
    /// An accessory with its frame.
    public struct PlacedAccessory: Hashable, Sendable {
        /// The accessory of the cell.
        public var accessory: CellAccessory
        /// The frame, relative to the cell's upper-left corner and snapped to device pixels.
        public var frame: Rect
    }

    /// The size of the cell.
    public var size: Size
    /// The height that the content needs, in whole device pixels.
    public var preferredHeight: Double
    /// The frame of the image; `nil` if the cell has none.
    public var imageFrame: Rect?
    /// The frame of the primary text; `nil` if the cell has none.
    public var textFrame: Rect?
    /// The frame of the secondary text; `nil` if the cell has none.
    public var secondaryTextFrame: Rect?
    /// The displayed accessories, including hidden ones, from leading to trailing.
    public var accessories: [PlacedAccessory]
    /// The space that margins and accessories leave for the content.
    public var contentFrame: Rect
    /// The distance from the leading edge of the cell to its text, where separators begin, as observed in UIKit.
    public var separatorLeading: Double
    /// Whether the texts are placed side by side.
    public var isSideBySide: Bool
    /// Diagnostics of what could not be placed as requested.
    public var diagnostics: [LayoutDiagnostic]

    /// The size to request from the layout.
    public var preferredSize: Size { Size(width: size.width, height: preferredHeight) }

    /// Returns the layout mirrored for the opposite reading direction: x′ = width − x − frame width.
    public func mirrored() -> ListCellLayout {
        var copy = self
        func mirror(_ rect: Rect) -> Rect { rect.mirrored(inWidth: size.width) }
        copy.imageFrame = imageFrame.map(mirror)
        copy.textFrame = textFrame.map(mirror)
        copy.secondaryTextFrame = secondaryTextFrame.map(mirror)
        copy.contentFrame = mirror(contentFrame)
        for index in accessories.indices { copy.accessories[index].frame = mirror(accessories[index].frame) }
        return copy
    }
}

/// Computes the layout of a cell, from left to right.
///
/// Accessories are placed at the layout margins, and the content between them with its own margins. Where there are no
/// accessories, the content keeps the larger of both margins. UIKit was observed to do so. Image, texts and accessories
/// are centered vertically between the upper and lower margins. UIKit aligns some of them by their baselines, which
/// requires fonts.
private struct ListCellSolver {
    let cell: ListCell
    let pixels: PixelGrid
    let width: Double
    let margins: EdgeInsets
    let layoutMargins: EdgeInsets
    var diagnostics = LayoutDiagnostics()

    /// An accessory with its size and reserved width.
    struct Sized {
        let accessory: CellAccessory
        let size: Size
        let reserved: Double
        var start = 0.0

        /// Returns the frame, centered at `middle` as far as the height of the cell allows.
        func frame(middle: Double, height: Double) -> Rect {
            let y = min(max(0, middle - size.height / 2), max(0, height - size.height))
            return Rect(
                x: start + (reserved - size.width) / 2, y: y, width: size.width, height: size.height)
        }
    }

    init(cell: ListCell, width: Double, pixels: PixelGrid) {
        self.cell = cell
        self.pixels = pixels
        self.width = diagnostics.length(width, "width")
        margins = diagnostics.lengths(cell.content.margins, "margins")
        layoutMargins = diagnostics.lengths(cell.layoutMargins, "layoutMargins")
    }

    mutating func solve(height: Double?, measure: TextMeasurer) -> ListCellLayout {
        var accessories = self.accessories(measure)
        let space = self.space(&accessories)
        let image = self.image()
        let texts = self.texts(in: space, after: image, measure)
        let block = max(image?.reserved.height ?? 0, texts.height)
        let preferred = preferredHeight(
            content: block, accessories: (accessories.leading + accessories.trailing).map(\.size.height))
        let height = height.map { diagnostics.length($0, "height") } ?? preferred

        let content = Rect(
            minX: space.start, minY: min(margins.top, height), maxX: space.end,
            maxY: max(min(margins.top, height), height - margins.bottom))
        let middle = content.midY
        var layout = ListCellLayout(
            size: Size(width: width, height: height), preferredHeight: preferred,
            accessories: (accessories.leading + accessories.trailing).map {
                ListCellLayout.PlacedAccessory(
                    accessory: $0.accessory, frame: pixels.snapped($0.frame(middle: middle, height: height)))
            },
            contentFrame: pixels.snapped(content), separatorLeading: pixels.snapped(texts.leading),
            isSideBySide: texts.isSideBySide, diagnostics: [])
        if let image {
            layout.imageFrame = pixels.snapped(
                Rect(
                    x: space.start + (image.reserved.width - image.size.width) / 2, y: middle - image.size.height / 2,
                    width: image.size.width, height: image.size.height))
        }
        let top = middle - texts.height / 2
        layout.textFrame = texts.primary.map { pixels.snapped($0.offset(x: 0, y: top)) }
        layout.secondaryTextFrame = texts.secondary.map { pixels.snapped($0.offset(x: 0, y: top)) }
        layout.diagnostics = diagnostics.all
        return layout
    }

    /// Returns the height that fits everything, rounded up to whole device pixels.
    private mutating func preferredHeight(content: Double, accessories: [Double]) -> Double {
        let minimum = diagnostics.length(cell.content.minimumHeight, "minimumHeight")
        let requested = max(minimum, margins.top + content + margins.bottom, accessories.max() ?? 0).asLength
        // The tolerance keeps a height that is whole except for rounding errors.
        return (-(0.000_001 - requested * pixels.scale).floored / pixels.scale).asLength
    }
}

// MARK: - Horizontal layout

extension ListCellSolver {
    private mutating func accessories(_ measure: TextMeasurer) -> (leading: [Sized], trailing: [Sized]) {
        var all = cell.accessories
        if all.count > ListCell.maximumAccessoryCount {
            diagnostics.add(
                LayoutDiagnostic(
                    .limitReached,
                    detail: "only \(ListCell.maximumAccessoryCount) of \(all.count) accessories are placed"))
            all = Array(all.prefix(ListCell.maximumAccessoryCount))
        }
        let isEditing = cell.state.isEditing
        return (
            all.arranged(at: .leading, isEditing: isEditing).map { sized($0, measure) },
            all.arranged(at: .trailing, isEditing: isEditing).map { sized($0, measure) }
        )
    }

    private mutating func sized(_ accessory: CellAccessory, _ measure: TextMeasurer) -> Sized {
        let requested =
            accessory.kind == .label
            ? measure(
                TextRequest(text: accessory.text, properties: CellAccessory.labelProperties, width: .infinity))
            : accessory.size
        let name = "\(accessory.kind.rawValue)"
        let size = diagnostics.lengths(requested, name)
        let reserved =
            switch accessory.reservedLayoutWidth {
            case .actual: 0.0
            case .standard: CellAccessory.standardDimension
            case .custom(let width): diagnostics.length(width, "reservedLayoutWidth of \(name)")
            }
        return Sized(accessory: accessory, size: size, reserved: reserved > 0 ? reserved : size.width)
    }

    /// Positions the accessories horizontally and returns the space left for the content.
    private mutating func space(
        _ accessories: inout (leading: [Sized], trailing: [Sized])
    ) -> (start: Double, end: Double) {
        let indentation =
            Double(max(0, cell.indentationLevel)) * diagnostics.length(cell.indentationWidth, "indentationWidth")
        var start = layoutMargins.leading + (cell.indentsAccessories ? indentation.asLength : 0)
        for index in accessories.leading.indices {
            if index > 0 { start += ListCell.accessorySpacing }
            accessories.leading[index].start = start
            start += accessories.leading[index].reserved
        }
        let keepsMargins = cell.content.preservesLayoutMargins
        if accessories.leading.isEmpty {
            start = max(margins.leading, keepsMargins ? layoutMargins.leading : 0) + indentation.asLength
        } else {
            start += margins.leading + (cell.indentsAccessories ? 0 : indentation.asLength)
        }

        var end = width - layoutMargins.trailing
        for index in accessories.trailing.indices.reversed() {
            end -= accessories.trailing[index].reserved
            accessories.trailing[index].start = end
            if index > 0 { end -= ListCell.accessorySpacing }
        }
        end =
            accessories.trailing.isEmpty
            ? width - max(margins.trailing, keepsMargins ? layoutMargins.trailing : 0) : end - margins.trailing
        if end < start {
            diagnostics.add(
                LayoutDiagnostic(.noRoom, detail: "margins and accessories leave \(end - start) points of the width"))
        }
        return (start.asDistance, max(start, end).asDistance)
    }
}

extension ListCellSolver {
    /// The positioned texts, relative to the top of both.
    struct Texts {
        var primary: Rect?
        var secondary: Rect?
        var height = 0.0
        var isSideBySide = false
        /// The start of the texts, or of the content if there are none.
        var leading: Double
    }

    /// Returns the size of the image and of the space in which it is centered; `nil` without an image.
    mutating func image() -> (size: Size, reserved: Size)? {
        guard let image = cell.content.image else { return nil }
        let properties = cell.content.imageProperties
        var size = diagnostics.lengths(image.size, "image.size")
        let maximum = diagnostics.lengths(properties.maximumSize, "maximumSize")
        var scale = 1.0
        for axis in Axis.allCases where maximum[axis] > 0 && size[axis] > maximum[axis] {
            scale = min(scale, maximum[axis] / size[axis])
        }
        size = Size(width: size.width * scale, height: size.height * scale)
        var reserved = diagnostics.lengths(properties.reservedLayoutSize, "reservedLayoutSize")
        for axis in Axis.allCases where reserved[axis] == 0 { reserved[axis] = size[axis] }
        return (size, reserved)
    }

    /// Places the texts after the image: side by side if that is preferred and both fit in one line, otherwise one
    /// below the other.
    mutating func texts(
        in space: (start: Double, end: Double), after image: (size: Size, reserved: Size)?, _ measure: TextMeasurer
    ) -> Texts {
        let content = cell.content
        let texts = (shown(content.text), shown(content.secondaryText))
        var leading = space.start
        if texts.0 != nil || texts.1 != nil, let image {
            leading += image.reserved.width + diagnostics.length(content.imageToTextPadding, "imageToTextPadding")
        }
        leading = leading.asDistance
        if leading > space.end {
            diagnostics.add(
                LayoutDiagnostic(.noRoom, detail: "the image leaves \(space.end - leading) points for the texts"))
        }
        let width = (space.end - leading).asLength
        if content.prefersSideBySideTextAndSecondaryText, let text = texts.0, let secondary = texts.1,
            let placed = sideBySide(text, secondary, from: leading, width: width, measure)
        {
            return placed
        }
        var placed = Texts(leading: leading)
        if let text = texts.0 {
            let size = measured(text, content.textProperties, within: width, measure)
            placed.primary = frame(size, at: leading, y: 0, within: width, content.textProperties.alignment)
            placed.height = size.height
        }
        if let text = texts.1 {
            let size = measured(text, content.secondaryTextProperties, within: width, measure)
            if placed.primary != nil {
                placed.height += diagnostics.length(
                    content.textToSecondaryTextVerticalPadding, "textToSecondaryTextVerticalPadding")
            }
            placed.secondary = frame(
                size, at: leading, y: placed.height, within: width, content.secondaryTextProperties.alignment)
            placed.height += size.height
        }
        placed.height = placed.height.asLength
        return placed
    }

    /// Places the text at the start and the secondary text at the end, centered vertically; returns `nil` if they don't
    /// fit. UIKit aligns their baselines.
    private mutating func sideBySide(
        _ text: String, _ secondary: String, from leading: Double, width: Double, _ measure: TextMeasurer
    ) -> Texts? {
        let content = cell.content
        let first = measured(text, content.textProperties, within: nil, measure)
        let second = measured(secondary, content.secondaryTextProperties, within: nil, measure)
        let padding = diagnostics.length(
            content.textToSecondaryTextHorizontalPadding, "textToSecondaryTextHorizontalPadding")
        guard first.width + padding + second.width <= width else { return nil }
        let height = max(first.height, second.height)
        return Texts(
            primary: Rect(
                x: leading, y: (height - first.height) / 2, width: first.width, height: first.height),
            secondary: Rect(
                x: leading + width - second.width, y: (height - second.height) / 2, width: second.width,
                height: second.height), height: height, isSideBySide: true, leading: leading)
    }

    /// Returns the text, or `nil` if it is empty.
    private func shown(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    /// - Parameter width: The maximum width; `nil` for a single line.
    private mutating func measured(
        _ text: String, _ properties: TextProperties, within width: Double?, _ measure: TextMeasurer
    ) -> Size {
        var request = TextRequest(
            text: properties.transformed(text), properties: properties, width: width ?? .infinity)
        if width == nil { request.properties.numberOfLines = 1 }
        var size = diagnostics.lengths(measure(request), "the size of a text")
        if let width { size.width = min(size.width, width) }
        return size
    }

    private func frame(
        _ size: Size, at leading: Double, y: Double, within width: Double, _ alignment: TextProperties.Alignment
    ) -> Rect {
        let x = alignment == .center ? leading + (width - size.width) / 2 : leading
        return Rect(x: x, y: y, width: size.width, height: size.height)
    }
}

extension LayoutDiagnostics {
    /// Returns a size with both lengths clamped, adding diagnostics.
    fileprivate mutating func lengths(_ size: Size, _ name: String) -> Size {
        Size(width: length(size.width, "\(name).width"), height: length(size.height, "\(name).height"))
    }

    /// Returns insets with all lengths clamped, adding diagnostics. Negative lengths become 0.
    fileprivate mutating func lengths(_ insets: EdgeInsets, _ name: String) -> EdgeInsets {
        EdgeInsets(
            top: length(insets.top, "\(name).top"), leading: length(insets.leading, "\(name).leading"),
            bottom: length(insets.bottom, "\(name).bottom"), trailing: length(insets.trailing, "\(name).trailing"))
    }
}
