//! What comes in as bytes.

use super::screen::Screen;
use crate::text::{self, Lang};

/// `bytes` as text, without a leading byte order mark; bad bytes are replaced, and the user is told where.
pub fn decode(bytes: &[u8], line: usize, lang: Lang, screen: &mut Screen) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").filter(|_| line == 1).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let line = line + before.iter().filter(|byte| **byte == b'\n').count();
            screen.warning(&text::replaced_bytes(lang, line));
            String::from_utf8_lossy(bytes).into_owned()
        }
    }
}
