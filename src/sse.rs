//! Bytes of a `text/event-stream` body to events, whatever the chunking.
//!
//! Follows the event-stream grammar of the WHATWG HTML standard (§9.2.6) with the tolerance real
//! endpoints need: LF, CRLF and CR line ends, one leading byte order mark, comments, a last event
//! without its blank line. Lines are decoded whole, so a character cut by a chunk border is never
//! damaged. There is no JSON and no async here.

/// Longest event accepted, in bytes. Anything longer is a broken or hostile server.
pub const EVENT_LIMIT: usize = 32 * 1024 * 1024;

/// One dispatched event that had at least one `data` line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// Value of the `event` field, empty when there was none.
    pub name: String,
    /// The `data` lines, in order, not yet joined: some servers forget the blank line between
    /// events, and then each line is a payload of its own.
    pub data: Vec<String>,
}

/// An event grew past [`EVENT_LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Incremental decoder; feed it with [`Decoder::push`], end it with [`Decoder::finish`].
#[derive(Debug, Default)]
pub struct Decoder {
    line: Vec<u8>,
    after_cr: bool,
    past_first_line: bool,
    pending: Event,
    pending_bytes: usize,
}

impl Decoder {
    /// Decodes a piece of the body and returns the events it completed.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::take(&mut self.after_cr);
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => {
                    if self.line.len() + self.pending_bytes >= EVENT_LIMIT {
                        return Err(TooLong);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(events)
    }

    /// The event that was under way when the body ended, if it had data.
    pub fn finish(mut self) -> Option<Event> {
        let completed = self.end_line();
        completed.or_else(|| self.dispatch())
    }

    fn end_line(&mut self) -> Option<Event> {
        let bytes = std::mem::take(&mut self.line);
        let bytes = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if !self.past_first_line => rest,
            _ => &bytes,
        };
        self.past_first_line = true;
        if bytes.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(bytes);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                self.pending_bytes += value.len();
                self.pending.data.push(value.to_owned());
            }
            "event" => self.pending.name = value.to_owned(),
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        if self.pending.data.is_empty() {
            // `event: error`, a blank line, then its data: the name is kept for the data to come.
            return None;
        }
        self.pending_bytes = 0;
        Some(std::mem::take(&mut self.pending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(chunks: &[&[u8]]) -> Vec<Event> {
        let mut decoder = Decoder::default();
        let mut events = Vec::new();
        for chunk in chunks {
            events.extend(decoder.push(chunk).unwrap());
        }
        events.extend(decoder.finish());
        events
    }

    #[track_caller]
    fn check(input: &str, expected: &[(&str, &[&str])]) {
        let expected: Vec<Event> = expected
            .iter()
            .map(|(name, data)| Event {
                name: (*name).to_owned(),
                data: data.iter().map(|line| (*line).to_owned()).collect(),
            })
            .collect();
        assert_eq!(decode(&[input.as_bytes()]), expected);
    }

    #[test]
    fn grammar() {
        check("data: a\n\ndata: b\n\n", &[("", &["a"]), ("", &["b"])]);
        check("data:a\r\n\r\ndata:  b\r\r", &[("", &["a"]), ("", &[" b"])]);
        check("\u{feff}data: a\n\n", &[("", &["a"])]);
        check(": ping\n\nevent: ping\n\ndata: a\n\n", &[("ping", &["a"])]);
        check("data: a\ndata: b\n\n", &[("", &["a", "b"])]);
        check("event: error\ndata: a\n\n", &[("error", &["a"])]);
        check("id: 7\nretry: 5\ndata\n\n", &[("", &[""])]);
        check("data: last", &[("", &["last"])]);
        check("data: last\n", &[("", &["last"])]);
        check("", &[]);
    }

    #[test]
    fn bad_utf8_is_replaced_and_the_rest_lives() {
        assert_eq!(decode(&[b"data: a\xff\n\ndata: b\n\n"])[1].data, ["b"]);
    }

    proptest! {
        #[test]
        fn chunking_never_matters(
            lines in proptest::collection::vec("(data: ?|event: |: |)[a-z你😀]{0,3}(\n|\r|\r\n|\n\n)", 0..12),
            cuts in proptest::collection::vec(0usize..80, 0..8),
        ) {
            let body = lines.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.extend([0, body.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> =
                cuts.windows(2).map(|pair| &body.as_bytes()[pair[0]..pair[1]]).collect();
            prop_assert_eq!(decode(&chunks), decode(&[body.as_bytes()]));
        }

        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            decode(&[&bytes]);
        }
    }
}
