import EPGModel

/// Why a line of EPG JSON can't be read; it costs itself only.
struct EPGJSONFault: Error {
    let keyword: Diagnostic.Keyword
    /// What is wrong: the text that can't be read, or the member and what it should be.
    let quote: String

    init(_ keyword: Diagnostic.Keyword, _ quote: String) {
        self.keyword = keyword
        self.quote = String(quote.prefix(200))
    }
}
