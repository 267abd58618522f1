import EPGModel
import Testing

@Suite struct ContentIndexTests {
    @Test(arguments: [1, 2, 3] as [UInt64]) func answersAreThoseOfADictionary(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var index = ContentIndex(minimumCapacity: 1)
        var dictionary: [ContentHash: Int64] = [:]
        for _ in 0..<5000 {
            // Few different values of each part, so that many hashes want the same place and differ in one part only.
            let high = UInt64.random(in: 0..<20, using: &generator) << 32 | UInt64.random(in: 0..<20, using: &generator)
            let hash = ContentHash(high: high, low: UInt64.random(in: 0..<8, using: &generator))
            if Bool.random(using: &generator) {
                #expect(index.id(of: hash) == dictionary[hash])
            } else {
                let newID = Int64(dictionary.count + 1)
                let known = dictionary[hash]
                let (id, isNew) = index.id(of: hash, orInsert: newID)
                #expect(isNew == (known == nil))
                #expect(id == known ?? newID)
                dictionary[hash] = id
            }
            #expect(index.count == dictionary.count)
        }
        for (hash, id) in dictionary { #expect(index.id(of: hash) == id) }
    }

    @Test func theHashOfNothingButZerosIsAHashLikeAnother() {
        var index = ContentIndex()
        let zero = ContentHash(high: 0, low: 0)
        #expect(index.id(of: zero) == nil)
        #expect(index.id(of: zero, orInsert: 7) == (7, true))
        #expect(index.id(of: zero, orInsert: 8) == (7, false))
    }

    @Test func aCopyIsNotChangedByTheOriginal() {
        var index = ContentIndex()
        let hash = ContentHash(high: 1, low: 2)
        let copy = index
        _ = index.id(of: hash, orInsert: 1)
        #expect(copy.id(of: hash) == nil)
    }
}
