package import EPGJSON
package import CollectionLayout
package import EPGLayout
package import EPGModel

/// The elements of a layout as JSON, for clients that draw the guide.
///
/// ```json
/// {"contentSize":{"width":3500,"height":120},"window":{"start":"…","end":"…"},"elements":[
///   {"kind":"airing","row":0,"station":"s0","airing":7,"start":"…","stop":"…","title":"…","frame":{…},…}]}
/// ```
package struct GridJSON: JSONObject {
    private let layout: GuideLayout
    private let elements: [GuideElement]
    private let rows: [Int]?
    private let pictures: CurrentPictures

    /// Creates the JSON of a page.
    ///
    /// - Parameters:
    ///   - elements: The elements of a page of the layout, in their order in the document.
    ///   - rows: The row of the guide for each row of the layout; `nil` if they are the same.
    ///   - pictures: What the thumbnails show.
    package init(
        layout: GuideLayout, elements: [GuideElement], rows: [Int]? = nil, pictures: CurrentPictures = CurrentPictures()
    ) {
        self.layout = layout
        self.elements = elements
        self.rows = rows
        self.pictures = pictures
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("contentSize", layout.contentSize)
        json.member("window", layout.window)
        json.member(
            "elements",
            array: { json in
                for element in elements { element.write(to: &json, rows: rows, pictures) }
            })
    }
}

extension GuideElement: JSONValue {
    /// Writes the kind, the content and the frame.
    ///
    /// `start` and `stop` are the full range. `shownStart` and `shownStop` are the range of the frame if it differs: the
    /// range clipped to the guide's window, or the share of an airing in a clump. A line has only `start`.
    package func write(to json: inout JSONWriter) { write(to: &json, rows: nil, CurrentPictures()) }

    /// A thumbnail has the airing that is on now and its picture, if there is one.
    fileprivate func write(to json: inout JSONWriter, rows: [Int]?, _ pictures: CurrentPictures) {
        let current = kind == .thumbnail ? pictures[row] : nil
        let airing = current?.airing ?? airing
        json.object { json in
            json.member("kind", kind.rawValue)
            json.member("row", row.map { rows?[$0] ?? $0 })
            json.member("station", station)
            json.member("airing", airing?.id)
            json.member("start", window?.start)
            json.member("stop", window.flatMap { $0.isEmpty && airing == nil ? nil : $0.end })
            if shown?.start != window?.start { json.member("shownStart", shown?.start) }
            if shown?.end != window?.end { json.member("shownStop", shown?.end) }
            json.member("label", label)
            json.member("title", airing?.title)
            json.member("subtitle", airing?.subtitle)
            json.member("categories", list: airing?.categories ?? [])
            json.member("picture", current?.url)
            json.member("frame", frame)
            json.member("visibleStart", visibleStart)
            json.member("visibleEnd", visibleEnd)
            json.member("zIndex", zIndex)
            json.member("clippedStart", isStartClipped)
            json.member("clippedEnd", isEndClipped)
            json.member("textLines", textLines)
            guard !members.isEmpty else { return }
            json.member(
                "members",
                array: { json in
                    for member in members { member.write(to: &json, rows: rows, pictures) }
                })
        }
    }
}

extension Rect: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("x", x)
        json.member("y", y)
        json.member("width", width)
        json.member("height", height)
    }
}

extension Size: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("width", width)
        json.member("height", height)
    }
}

extension TimeWindow: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("start", start)
        json.member("end", end)
    }
}
