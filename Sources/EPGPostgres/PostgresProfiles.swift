import EPGJSON
import EPGModel

extension PostgresReader {
    func profiles() throws -> [Profile] {
        try connection.values(
            "SELECT name, document, version, maximum_age, hidden_categories, pin_hash FROM profile ORDER BY name"
        ) { row in
            let name = row.text(0)
            do {
                return try Profile(
                    name: name, document: row.blob(1),
                    limit: ParentalLimit(
                        maximumAge: row.integerIfPresent(3).map { Int($0) },
                        hiddenCategories: StoredDocument.texts(row.blob(4))),
                    pinHash: row.textIfPresent(5), version: row.integer(2))
            } catch {
                throw StoreError.damaged(
                    path: location, detail: "the profile “\(name.prefix(80))” is invalid: \(error)")
            }
        }
    }
}

extension PostgresWriter {
    func saveProfile(_ profile: Profile) throws -> Profile {
        try write {
            let others = try connection.integer("SELECT count(*) FROM profile WHERE name <> $1", [.text(profile.name)])
            guard others ?? 0 < Profile.maximumCount else { throw ProfileError.tooMany }
            let saved = try profile.with(version: profile.version + 1)
            let changed = try connection.execute(
                profile.version == 0
                    ? """
                    INSERT INTO profile (name, document, version, maximum_age, hidden_categories, pin_hash)
                    VALUES ($1, $2, $3, $4, $5, $6)
                    ON CONFLICT DO NOTHING
                    """
                    : """
                    UPDATE profile SET document = $2, version = $3, maximum_age = $4, hidden_categories = $5, pin_hash = $6
                    WHERE name = $1 AND version = $3 - 1
                    """,
                [
                    .text(saved.name), .json(saved.document), .integer(saved.version),
                    .integer(saved.limit.maximumAge.map { Int64($0) }),
                    .json(StoredDocument.texts(saved.limit.hiddenCategories)), .text(saved.pinHash),
                ])
            guard changed > 0 else { throw ProfileError.stale }
            return saved
        }
    }

    func removeProfile(named name: String) throws -> Bool {
        try write { try connection.execute("DELETE FROM profile WHERE name = $1", [.text(name)]) > 0 }
    }
}
