import EPGModel

@testable import EPGAccess

extension AccessRecords {
    /// Creates records of tokens with chosen texts, by the text.
    init(tokens: [String: Set<AccessScope>]) {
        self.init()
        self.tokens = tokens.enumerated().map { number, token in
            AccessToken(
                name: "token \(number)", scopes: token.value, created: RunningServer.now, used: nil,
                digest: SHA256.hexadecimal(of: token.key))
        }
    }
}

extension AccessStore {
    /// Adds tokens with chosen texts, by the text.
    func add(_ tokens: [String: Set<AccessScope>]) throws {
        try change { $0.tokens += AccessRecords(tokens: tokens).tokens }
    }
}
