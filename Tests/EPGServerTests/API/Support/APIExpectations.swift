import Foundation
import Glibc
import Testing

@testable import ServiceTestSupport

extension Loose {
    /// The texts of the member `key` of all elements.
    func texts(_ key: String) -> [String?] { list.map { $0[key].text } }

    /// The numbers of the member `key` of all elements.
    func integers(_ key: String) -> [Int?] { list.map { $0[key].integer } }

    /// The value as compact JSON with sorted keys; `nil` for a missing value.
    var json: String? {
        guard let value else { return nil }
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: value, options: options)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

extension SharedGuides {
    /// The guide of evening.xml for services that do not change it.
    static let served: Result<ServedGuide, any Error> = Result {
        let guide = try ServedGuide()
        atexit { if case .success(let guide) = SharedGuides.served { guide.remove() } }
        return guide
    }
}

extension ServedGuide {
    fileprivate func remove() {
        // A folder that cannot be removed does not fail a test.
        _ = Result { try FileManager.default.removeItem(atPath: folder) }
    }
}
