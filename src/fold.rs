//! What makes no difference between two texts: the width of characters, and traditional or simplified ones.
//!
//! Case is not folded here, since it tells words apart for some.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Traditional characters and their simplified ones.
static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let mut table =
        include_str!("fold/simplified.txt").chars().filter(|character| !character.is_whitespace());
    let mut pairs = HashMap::new();
    while let (Some(traditional), Some(simplified)) = (table.next(), table.next()) {
        pairs.insert(traditional, simplified);
    }
    pairs
});

/// Full width to half, traditional to simplified.
pub fn character(character: char) -> char {
    match u32::from(character) {
        0x3000 => ' ',
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(character),
        0x3400.. => SIMPLIFIED.get(&character).copied().unwrap_or(character),
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_and_script_make_no_difference() {
        let folded: String = "ＡＢ１　臺灣用戶".chars().map(character).collect();
        assert_eq!(folded, "AB1 台湾用户");
        assert!(SIMPLIFIED.iter().all(|(traditional, simplified)| traditional != simplified));
    }
}
