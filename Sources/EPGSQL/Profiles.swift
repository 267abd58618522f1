import EPGJSON
package import EPGModel

/// Profiles, favorites and settings. ``GuideReading`` documents the members.
extension SQLReading {
    package func profiles() throws -> [Profile] {
        try reading { connection in
            try connection.values(
                """
                SELECT name, document, version, maximum_age, hidden_categories, pin_hash, accepts_rules FROM profile ORDER BY name
                """
            ) { row in
                let name = row.text(0)
                do {
                    return try Profile(
                        name: name, document: row.blob(1),
                        limit: ParentalLimit(
                            maximumAge: row.integerIfPresent(3).map { Int($0) },
                            hiddenCategories: StoredDocument.texts(row.blob(4))),
                        pinHash: row.textIfPresent(5), acceptsRules: row.flag(6), version: row.integer(2))
                } catch {
                    throw StoreError.damaged(
                        path: location, detail: "the profile “\(name.prefix(80))” is invalid: \(error)")
                }
            }
        }
    }

    package func favorites() throws -> [StationID] { try reading { try $0.favorites() } }

    package func storedSettings() throws -> [String: [String]] {
        try reading { connection in
            let rows = try connection.values("SELECT key, value FROM setting") { ($0.text(0), $0.text(1)) }
            return Dictionary(uniqueKeysWithValues: rows).mapValues {
                $0.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            }
        }
    }
}

/// Changes of profiles, favorites and settings. ``GuideWriting`` documents the members.
extension SQLWriting {
    package func saveProfile(_ profile: Profile) throws -> Profile {
        try writing { connection in
            let others = try connection.integer("SELECT count(*) FROM profile WHERE name <> $1", [.text(profile.name)])
            guard others ?? 0 < Profile.maximumCount else { throw ProfileError.tooMany }
            let saved = try profile.with(version: profile.version + 1)
            let changed = try connection.execute(
                profile.version == 0
                    ? """
                    INSERT INTO profile (name, document, version, maximum_age, hidden_categories, pin_hash, accepts_rules)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    ON CONFLICT DO NOTHING
                    """
                    : """
                    UPDATE profile SET document = $2, version = $3, maximum_age = $4, hidden_categories = $5, pin_hash = $6,
                        accepts_rules = $7
                    WHERE name = $1 AND version = $3 - 1
                    """,
                [
                    .text(saved.name), .json(saved.document), .integer(saved.version),
                    .number(saved.limit.maximumAge),
                    .json(StoredDocument.texts(saved.limit.hiddenCategories)), .text(saved.pinHash),
                    .boolean(saved.acceptsRules),
                ])
            guard changed > 0 else { throw ProfileError.stale }
            return saved
        }
    }

    package func removeProfile(named name: String) throws -> Bool {
        try writing { try $0.execute("DELETE FROM profile WHERE name = $1", [.text(name)]) > 0 }
    }

    package func saveSetting(_ key: String, to values: [String]?) throws {
        try writing { connection in
            guard let values else {
                try connection.execute("DELETE FROM setting WHERE key = $1", [.text(key)])
                return
            }
            precondition(!values.isEmpty && !values.contains { $0.utf8.contains(UInt8(ascii: "\n")) })
            try connection.execute(
                "INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [.text(key), .text(values.joined(separator: "\n"))])
        }
    }

    package func setFavorite(_ station: StationID, to place: Int?) throws {
        try writing { connection in
            let old = try connection.favorites()
            var new = old.filter { $0 != station }
            if let place { new.insert(station, at: min(max(place, 0), new.count)) }
            guard new != old else { return }
            // Updating rows one by one would temporarily violate the uniqueness of positions.
            try connection.execute("DELETE FROM favorite")
            for (position, favorite) in new.enumerated() {
                try connection.execute(
                    "INSERT INTO favorite (feed_id, position) VALUES ($1, $2)",
                    [.text(favorite.rawValue), .number(position)])
            }
        }
    }
}

extension SQLConnection {
    fileprivate func favorites() throws -> [StationID] {
        try values("SELECT feed_id FROM favorite ORDER BY position") { StationID($0.text(0)) }
    }
}
