/// The programs of Schedules Direct that were asked for of late, ready for use.
///
/// They stand in two halves. What is asked for goes into the younger one; when that is full, it becomes the older one, and
/// the older one goes. So what is asked for again within ``capacity`` bytes of others is there.
///
/// - Complexity: O(1) for each question, beside what is made.
package struct DecodedPrograms<Value> {
    /// Bytes of documents in each half at most: one program may be as long. Made, they take some ten times as many.
    package static var capacity: Int { 256 << 10 }

    private var younger: [Int: (value: Value, bytes: Int)] = [:]
    private var older: [Int: (value: Value, bytes: Int)] = [:]
    private var youngerBytes = 0
    private var olderBytes = 0

    package init() {}

    /// Bytes of the documents whose programs are here.
    package var documentBytes: Int { youngerBytes + olderBytes }

    /// The program of a document, which is made where it isn't here.
    ///
    /// - Parameter place: Where the document stands; no other ever stands there.
    package mutating func value(at place: Range<Int>, make: () -> Value) -> Value {
        // A document of no bytes stands where the next one does.
        guard !place.isEmpty else { return make() }
        if let known = younger[place.lowerBound] { return known.value }
        let value = older[place.lowerBound]?.value ?? make()
        if youngerBytes + place.count > Self.capacity {
            (older, olderBytes) = (younger, youngerBytes)
            (younger, youngerBytes) = ([:], 0)
        }
        younger[place.lowerBound] = (value, place.count)
        youngerBytes += place.count
        return value
    }
}
