//! Whether a place in a Markdown text is inside code, where markup is only being talked about.

/// Follows a text that comes in pieces.
#[derive(Debug, Default, Clone)]
pub struct Code {
    fenced: bool,
    inline: bool,
    ticks: usize,
}

impl Code {
    /// Takes the next character.
    pub fn push(&mut self, character: char) {
        if character == '`' {
            self.ticks += 1;
            return;
        }
        self.end_ticks();
        if character == '\n' {
            self.inline = false;
        }
    }

    /// Whether the next character would be inside code.
    pub fn is_inside(&self) -> bool {
        let mut ahead = self.clone();
        ahead.end_ticks();
        ahead.fenced || ahead.inline
    }

    fn end_ticks(&mut self) {
        match std::mem::take(&mut self.ticks) {
            0 => {}
            1 | 2 => self.inline = !self.inline && !self.fenced,
            _ => {
                self.fenced = !self.fenced;
                self.inline = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_inline_code() {
        for (text, inside) in [
            ("plain ", false),
            ("the `", true),
            ("the `x` ", false),
            ("```\nx\n", true),
            ("```\nx\n```\n", false),
            ("a `b\n", false),
            ("``x`` ", false),
        ] {
            let mut code = Code::default();
            text.chars().for_each(|character| code.push(character));
            assert_eq!(code.is_inside(), inside, "{text:?}");
        }
    }
}
