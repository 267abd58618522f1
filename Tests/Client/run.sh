#!/usr/bin/env bash
# Builds the example of README.md as a program that uses only the package's products, runs it in a separate folder, and compares
# its output with expected.txt. Of the 417 programmes of the guide, one is a duplicate and one has no length
# (sample-data/README.md). The titles are those of evening.xml at 18:30 UTC.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk '/^## / { wanted = /In your own program/ } wanted && /^```$/ { inside = 0 } inside; wanted && /^```swift$/ { inside = 1 }' \
    README.md > "$folder/example.swift"
diff "$folder/example.swift" Tests/Client/Sources/Client/main.swift || {
    echo "the example in README.md differs from the program in Tests/Client" >&2
    exit 1
}
swift build --package-path Tests/Client
program=$(swift build --package-path Tests/Client --show-bin-path)/Client
ln -s "$PWD/sample-data" "$folder/sample-data"
(cd "$folder" && "$program") | diff Tests/Client/expected.txt -
echo "a program that uses only the products imports the sample guide and prints the current airings"
