//! The window: which turns of a thread are sent, and when older ones leave it.
//!
//! Turns leave several at a time, so that the beginning of the request, which an endpoint need not read again, stays
//! the same for as long as possible. A turn leaves as a whole or not at all.

/// What is sent of a conversation; `None` for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// So many turns are always sent, where they fit.
    pub turns: Option<usize>,
    /// The turns that are sent take no more than so many tokens.
    pub tokens: Option<usize>,
}

/// What a request may be made of. All sizes are tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    pub window: Window,
    /// What the model can read and write together.
    pub context: Option<usize>,
    /// The share of the context at which turns leave, 0 to 1.
    pub compact_at: f64,
}

/// Turns that may be sent beyond [`Window::turns`] before they leave together, as a share of it.
const SLACK: f64 = 0.4;
/// Once turns leave, so many do that the rest takes this share of what it may.
const LEFT: f64 = 0.5;
/// Share of the context that is kept free for an answer, and the most that is.
const ANSWER_SHARE: f64 = 0.125;
const ANSWER_MOST: usize = 1024;

impl Limits {
    /// How many of the oldest turns leave. `costs` are those of the turns, oldest first; `fixed` is what else is
    /// sent: system part, tools, the newest message.
    pub fn leaving(&self, costs: &[usize], fixed: usize) -> usize {
        let count = costs.len();
        let mut leaving = 0;
        if let Some(turns) = self.window.turns {
            let slack = (turns as f64 * SLACK).floor() as usize;
            if count > turns + slack {
                leaving = count - turns;
            }
        }
        let mut fit = |most: usize, limit: usize| {
            let mut left: usize = costs.iter().skip(leaving).sum();
            if left <= limit {
                return;
            }
            for (place, cost) in costs.iter().enumerate().skip(leaving) {
                // What was said last stays for as long as it fits.
                let is_last = place + 1 == count && left <= limit;
                if left <= most || is_last {
                    break;
                }
                left -= cost;
                leaving = place + 1;
            }
        };
        if let Some(tokens) = self.window.tokens {
            fit((tokens as f64 * LEFT) as usize, tokens);
        }
        if let Some(context) = self.context {
            let limit = (context as f64 * self.compact_at) as usize;
            let room = limit.saturating_sub(fixed);
            fit((room as f64 * LEFT) as usize, room);
        }
        leaving
    }

    /// How many tokens a message may take, where `rest` is what is sent with it at least; `None` while the
    /// context is not known.
    pub fn room(&self, rest: usize) -> Option<usize> {
        let context = self.context?;
        let answer = ((context as f64 * ANSWER_SHARE) as usize).min(ANSWER_MOST);
        Some(context.saturating_sub(rest + answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(turns: Option<usize>, tokens: Option<usize>, context: Option<usize>) -> Limits {
        Limits { window: Window { turns, tokens }, context, compact_at: 0.8 }
    }

    #[test]
    fn turns_leave_together() {
        let ten = limits(Some(10), None, None);
        for (count, leaving) in [(0, 0), (10, 0), (14, 0), (15, 5), (40, 30)] {
            assert_eq!(ten.leaving(&vec![9; count], 100), leaving, "{count}");
        }
        assert_eq!(limits(Some(1), None, None).leaving(&[9, 9], 0), 1);
        assert_eq!(limits(Some(0), None, None).leaving(&[9], 0), 1);
        assert_eq!(limits(None, None, None).leaving(&[9_000_000; 3], 0), 0);
    }

    #[test]
    fn tokens_count_as_well() {
        let tokens = limits(None, Some(100), None);
        assert_eq!(tokens.leaving(&[30, 30, 30], 5000), 0, "only the turns");
        assert_eq!(tokens.leaving(&[30, 30, 30, 30], 0), 3);
        assert_eq!(tokens.leaving(&[500], 0), 1);
        let context = limits(Some(10), None, Some(1000));
        assert_eq!(context.leaving(&[100; 5], 300), 0);
        assert_eq!(context.leaving(&[100; 6], 300), 4, "half of 500 is left");
        assert_eq!(context.leaving(&[100; 5], 900), 5, "nothing fits");
        assert_eq!(context.leaving(&[1; 15], 100), 5);
        assert_eq!(context.leaving(&[200, 200, 400], 300), 2, "the last one fits");
        let both = limits(None, Some(300), Some(1000));
        assert_eq!(both.leaving(&[100; 10], 400), 9, "a half, and no half of that again");
    }

    #[test]
    fn a_message_has_the_room_that_is_left() {
        assert_eq!(limits(None, None, Some(4096)).room(1000), Some(4096 - 1000 - 512));
        assert_eq!(limits(None, None, Some(128_000)).room(1000), Some(128_000 - 1000 - 1024));
        assert_eq!(limits(None, None, Some(512)).room(1000), Some(0));
        assert_eq!(limits(None, None, None).room(1000), None);
    }
}
