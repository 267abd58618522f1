package import CollectionLayout
package import EPGLayout
package import EPGModel

/// A laid-out guide as JSON: what the grid's other faces draw, for those who want to draw it themselves.
///
/// ```json
/// {"contentSize":{"width":3500,"height":120},"window":{"start":"…","end":"…"},"elements":[
///   {"kind":"airing","row":0,"station":"s0","airing":7,"start":"…","stop":"…","title":"…","frame":{…},…}]}
/// ```
package struct GridJSON: JSONValue {
    private let layout: GuideLayout
    private let elements: [GuideElement]

    /// - Parameter elements: The elements of a page of the layout, in the order in which they are to be written.
    package init(layout: GuideLayout, elements: [GuideElement]) {
        self.layout = layout
        self.elements = elements
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("contentSize", layout.contentSize)
            json.member("window", layout.window)
            json.member("elements", elements)
        }
    }
}

extension GuideElement: JSONValue {
    /// Kind, what it shows, and where.
    ///
    /// `start` and `stop` are the range in full; `shownStart` and `shownStop`, where they differ, what the frame stands
    /// for: the range cut at the guide's window, or a clump's share. A line has only `start`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", kind.rawValue)
            json.member("row", row)
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
            json.member("frame", frame)
            json.member("visibleStart", visibleStart)
            json.member("visibleEnd", visibleEnd)
            json.member("zIndex", zIndex)
            json.member("clippedStart", isStartClipped)
            json.member("clippedEnd", isEndClipped)
            json.member("textLines", textLines)
            if !members.isEmpty { json.member("members", list: members) }
        }
    }
}

extension Rect: JSONValue {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("x", x)
            json.member("y", y)
            json.member("width", width)
            json.member("height", height)
        }
    }
}

extension Size: JSONValue {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("width", width)
            json.member("height", height)
        }
    }
}

extension TimeWindow: JSONValue {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("start", start)
            json.member("end", end)
        }
    }
}
