/// A language of the pages, by its code (BCP 47).
package enum PageLanguage: String, Hashable, Sendable, CaseIterable {
    case ar, de, en, es, fr, he, it, ja, nl, pl, pt, zh
}
