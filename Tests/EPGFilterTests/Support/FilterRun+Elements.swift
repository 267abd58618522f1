import XMLTV

extension FilterRun {
    /// The records of a name that were written.
    func elements(_ name: String) throws -> [XMLTVElement] {
        var reader = XMLTVReader(ChunkSource(bytes))
        var elements: [XMLTVElement] = []
        while try reader.next() != nil {
            if reader.element.name == name { elements.append(reader.element) }
        }
        return elements
    }
}
