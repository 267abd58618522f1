/// The settings of pages for a person or a device, which browsers share under its name, and a parental limit.
///
/// The operator of the service creates profiles. ``WatchRule/profile`` may name one.
public struct Profile: Hashable, Sendable {
    /// The unique name.
    public let name: String
    /// The settings as a JSON object, at most ``maximumSize`` bytes.
    public let document: [UInt8]
    /// What the pages of the profile show.
    public let limit: ParentalLimit
    /// The hash of the PIN for leaving the profile (``hash(ofPIN:)``); `nil` for no PIN.
    ///
    /// A PIN is not a lock: everybody who reaches the service can read the whole guide without a profile. Its hash must not appear
    /// in logs, pages and responses all the same, because people use PINs in several places.
    public let pinHash: String?
    /// Whether viewers may add, change and remove the watch rules of the profile (``WatchRule/profile``) without an administrator.
    public let acceptsRules: Bool
    /// Grows by 1 with each change; 0 for a profile that is not stored.
    public let version: Int64

    /// Maximum number of profiles of a guide.
    public static let maximumCount = 64
    /// Maximum number of watch rules of a profile to which viewers may add more.
    public static let maximumRuleCount = 100
    /// The limits of PINs in bytes of UTF-8.
    package static let pinLengths = 4...64
    /// Maximum size of the settings in bytes: 64 KiB.
    public static let maximumSize = 64 << 10

    /// Creates a profile; by default, a new one without settings, limit and PIN, which accepts no rules.
    ///
    /// - Parameters:
    ///   - name: The name, with the same rules as the name of a watch rule.
    ///   - document: A JSON object, which is not parsed here; empty by default.
    /// - Throws: ``ProfileError`` for an invalid name, or a document that is too large.
    public init(
        name: String, document: [UInt8] = Array("{}".utf8), limit: ParentalLimit = .none, pinHash: String? = nil,
        acceptsRules: Bool = false, version: Int64 = 0
    ) throws(ProfileError) {
        // Browsers and proxies remove the segments "." and ".." from a URL.
        guard !name.trimmed.isEmpty, name.utf8.count <= WatchRule.maximumNameLength, !name.hasControls,
            ![".", ".."].contains(name)
        else { throw .invalidName }
        guard document.count <= Self.maximumSize else { throw .tooLarge }
        self.name = name
        self.document = document
        self.limit = limit
        self.pinHash = pinHash
        self.acceptsRules = acceptsRules
        self.version = version
    }

    /// Returns the hash of a new PIN: a salt and a SHA-256, separated by a colon.
    ///
    /// - Throws: ``ProfileError/invalidPIN``.
    package static func hash(ofPIN pin: String) throws(ProfileError) -> String {
        guard pinLengths.contains(pin.utf8.count) else { throw .invalidPIN }
        return hash(ofPIN: pin, salt: String(UInt64.random(in: .min ... .max), radix: 16))
    }

    private static func hash(ofPIN pin: String, salt: some StringProtocol) -> String {
        "\(salt):" + SHA256.hexadecimal(of: "\(salt):\(pin)")
    }

    /// Returns whether a text is the PIN; `true` for every text if there is none.
    package func hasPIN(_ pin: String) -> Bool {
        guard let pinHash else { return true }
        return Self.hash(ofPIN: pin, salt: pinHash.prefix { $0 != ":" }) == pinHash
    }

    /// Returns the same profile with other settings.
    ///
    /// - Throws: ``ProfileError/tooLarge``.
    package func with(document: [UInt8]) throws(ProfileError) -> Profile {
        try Profile(
            name: name, document: document, limit: limit, pinHash: pinHash, acceptsRules: acceptsRules, version: version
        )
    }

    /// Returns the same profile with other settings of its operator.
    package func with(
        limit: ParentalLimit, pinHash: String?, acceptsRules: Bool
    ) throws(ProfileError) -> Profile {
        try Profile(
            name: name, document: document, limit: limit, pinHash: pinHash, acceptsRules: acceptsRules, version: version
        )
    }

    /// Returns the same profile with another version.
    package func with(version: Int64) throws(ProfileError) -> Profile {
        try Profile(
            name: name, document: document, limit: limit, pinHash: pinHash, acceptsRules: acceptsRules, version: version
        )
    }
}

/// The programmes whose contents a person should not see: programmes above an age, and programmes of some categories.
///
/// A programme without a known age is below every age.
public struct ParentalLimit: Hashable, Sendable {
    /// The highest ``Programme/minimumAge`` that is allowed, from 0 to 21; `nil` for no limit.
    public let maximumAge: Int?
    /// The categories that are not allowed, in any place and ignoring case; sorted, without duplicates and surrounding blanks.
    public let hiddenCategories: [String]

    /// Maximum number of hidden categories. URLs contain them, and links have at most 4,000 bytes.
    public static let maximumCategoryCount = 12
    /// Maximum length of a category in bytes.
    public static let maximumCategoryLength = 80

    /// The limit that allows everything.
    public static let none = ParentalLimit()

    private init() { (maximumAge, hiddenCategories) = (nil, []) }

    /// Creates a limit.
    ///
    /// - Throws: ``ProfileError`` for an age that is out of range, and for empty, long or too many categories.
    public init(maximumAge: Int?, hiddenCategories: [String] = []) throws(ProfileError) {
        if let maximumAge, !(0...21).contains(maximumAge) { throw .invalidAge }
        var names: [String: String] = [:]
        for category in hiddenCategories {
            let name = category.trimmed
            guard !name.isEmpty, name.utf8.count <= Self.maximumCategoryLength, !name.hasControls else {
                throw .invalidCategory
            }
            names[name.lowercased()] = names[name.lowercased()] ?? name
        }
        guard names.count <= Self.maximumCategoryCount else { throw .tooManyCategories }
        self.maximumAge = maximumAge
        self.hiddenCategories = names.values.sorted()
    }

    /// Whether every programme is allowed.
    public var allowsEverything: Bool { maximumAge == nil && hiddenCategories.isEmpty }

    /// Returns whether a programme is not allowed.
    public func locks(_ programme: Programme) -> Bool {
        if let maximumAge, let age = programme.minimumAge, age > maximumAge { return true }
        return programme.categories.contains { hides(category: $0.text) }
    }

    /// Returns whether programmes of a category are not allowed.
    public func hides(category: String) -> Bool {
        hiddenCategories.contains { $0.isEqualIgnoringCase(to: category) }
    }
}

/// A profile that is invalid or cannot be stored.
public enum ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name is empty, too long, `.` or `..`, or has control characters.
    case invalidName
    /// The settings are larger than ``Profile/maximumSize``.
    case tooLarge
    /// The age is not from 0 to 21.
    case invalidAge
    /// A category is empty, too long, or has control characters.
    case invalidCategory
    case tooManyCategories
    /// The PIN has too few or too many bytes.
    case invalidPIN
    /// The guide has the maximum number of profiles.
    case tooMany
    /// The stored profile has another version, or does not exist.
    case stale

    public var description: String {
        switch self {
        case .invalidName:
            "The name must have 1 to \(WatchRule.maximumNameLength) bytes and no control characters, and not be “.” or “..”."
        case .tooLarge: "The settings of a profile have at most \(Profile.maximumSize) bytes."
        case .invalidAge: "The maximum age must be a number from 0 to 21."
        case .invalidCategory:
            "A category must have 1 to \(ParentalLimit.maximumCategoryLength) bytes and no control characters."
        case .tooManyCategories: "A profile can hide at most \(ParentalLimit.maximumCategoryCount) categories."
        case .invalidPIN:
            "A PIN has from \(Profile.pinLengths.lowerBound) to \(Profile.pinLengths.upperBound) bytes."
        case .tooMany: "A guide can have at most \(Profile.maximumCount) profiles. Remove one first."
        case .stale: "The profile was changed in the meantime. Read it again, and repeat the change."
        }
    }
}
