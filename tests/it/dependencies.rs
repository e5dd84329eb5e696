//! What the program is built from: licences, sources, and how much of it there is.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// Packages in the lock file. Raised only knowingly: each one is code that users run and we answer for.
const LOCK_BUDGET: usize = 261;

/// Licences that may be shipped in an MIT-licensed binary; one of those a package offers is enough.
const LICENCES: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "BSL-1.0",
    "Unicode-3.0",
    "Unlicense",
    "CDLA-Permissive-2.0",
    "Apache-2.0 WITH LLVM-exception",
];

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether an SPDX expression of `AND`, `OR` and parentheses can be met with [`LICENCES`].
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let plain = expression.replace(['(', ')'], " ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|licence| LICENCES.contains(&licence.trim())))
}

#[test]
fn licences_sources_and_budget() {
    let packages = packages();
    let mut wrong = Vec::new();
    for package in packages.iter().filter(|package| package["name"] != env!("CARGO_PKG_NAME")) {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence) {
            wrong.push(format!("{name}: licence {licence}"));
        }
        let source = package["source"].as_str().unwrap_or("a path");
        if !source.starts_with("registry+") {
            wrong.push(format!("{name}: comes from {source}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(packages.len() <= LOCK_BUDGET, "{} packages, budget {LOCK_BUDGET}", packages.len());
}

#[test]
fn every_direct_dependency_is_explained() {
    let packages = packages();
    let ours = packages.iter().find(|package| package["name"] == env!("CARGO_PKG_NAME")).unwrap();
    let direct: BTreeSet<&str> =
        ours["dependencies"].as_array().unwrap().iter().map(|d| d["name"].as_str().unwrap()).collect();
    let architecture = include_str!("../../ARCHITECTURE.md");
    let unexplained: Vec<&&str> =
        direct.iter().filter(|name| !architecture.contains(&format!("| `{name}` |"))).collect();
    assert_eq!(unexplained, Vec::<&&str>::new());
}
