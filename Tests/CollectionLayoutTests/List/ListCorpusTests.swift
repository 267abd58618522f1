import CollectionLayout
import Testing

/// Runs the lists of the corpus, whose numbers were calculated by hand.
@Suite struct ListCorpusTests {
    @Test(arguments: try CorpusCase.lists())
    func lists(_ sample: CorpusCase) throws { try sample.check() }
}
