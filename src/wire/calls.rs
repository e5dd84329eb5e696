//! Accumulating tool calls from deltas, whatever servers leave out, repeat or renumber.

use serde::Deserialize;
use serde_json::Value;

use super::arguments;
use super::fnv1a;
use super::lenient::{count, lenient};
use super::markup::TextCall;
use crate::message::ToolCall;

/// One element of `delta.tool_calls`. An empty string means the same as a missing one throughout.
#[derive(Debug, Default, Deserialize)]
pub struct CallDelta {
    /// A key, not a position: it may start at 1, have gaps, be shared or be missing.
    #[serde(default, deserialize_with = "count")]
    index: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    id: String,
    #[serde(default, deserialize_with = "lenient")]
    function: FunctionDelta,
    #[serde(default)]
    extra_content: Value,
}

/// The `function` of a call, also the whole of the older `function_call`.
#[derive(Debug, Default, Deserialize)]
pub struct FunctionDelta {
    #[serde(default, deserialize_with = "lenient")]
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl CallDelta {
    /// Gives an entry of a whole list its place in it, if it says none.
    pub fn number(&mut self, place: usize) {
        self.index = self.index.or(Some(place as u64));
    }
}

impl From<FunctionDelta> for CallDelta {
    fn from(function: FunctionDelta) -> Self {
        Self { index: None, id: String::new(), function, extra_content: Value::Null }
    }
}

#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extra: Option<Value>,
}

impl Slot {
    /// Whether the arguments so far are one whole object.
    fn is_finished(&self) -> bool {
        matches!(serde_json::from_str(&self.arguments), Ok(Value::Object(_)))
    }
}

/// The calls of one reply, in order of first sight. Nothing is final before [`Calls::settle`].
#[derive(Debug, Default)]
pub struct Calls {
    slots: Vec<Slot>,
}

impl Calls {
    /// A call that was written as text.
    pub fn push_text_call(&mut self, call: TextCall) {
        let arguments = Value::Object(call.arguments).to_string();
        self.slots.push(Slot { name: call.name, arguments, ..Slot::default() });
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a delta to the call it belongs to, or opens one.
    pub fn push(&mut self, delta: CallDelta) {
        let name = delta.function.name;
        let fragment = match delta.function.arguments {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        };
        let place = match self.find(delta.index, &delta.id, &name, &fragment) {
            Some(place) => place,
            None => {
                self.slots.push(Slot { index: delta.index, ..Slot::default() });
                self.slots.len() - 1
            }
        };
        let slot = &mut self.slots[place];
        if slot.id.is_empty() {
            slot.id = delta.id;
        }
        if slot.name.is_empty() || (slot.arguments.is_empty() && name.starts_with(&slot.name)) {
            slot.name = name;
        } else if slot.arguments.is_empty() && name != slot.name {
            slot.name.push_str(&name);
        }
        slot.arguments.push_str(&fragment);
        if !delta.extra_content.is_null() {
            slot.extra = Some(delta.extra_content);
        }
    }

    /// The slot a delta continues, `None` when it opens a new call.
    fn find(&self, index: Option<u64>, id: &str, name: &str, fragment: &str) -> Option<usize> {
        let with_id = || self.slots.iter().position(|slot| !id.is_empty() && slot.id == id);
        if let Some(index) = index {
            let place = self.slots.iter().rposition(|slot| slot.index == Some(index))?;
            let slot = &self.slots[place];
            let renamed = !id.is_empty() && !slot.id.is_empty() && slot.id != id;
            let restarted = id.is_empty()
                && !name.is_empty()
                && slot.is_finished()
                && (name != slot.name || fragment.trim_start().starts_with('{'));
            return if renamed && !name.is_empty() { with_id() } else { (!restarted).then_some(place) };
        }
        if let Some(place) = with_id() {
            return Some(place);
        }
        let place = self.slots.len().checked_sub(1)?;
        let last = &self.slots[place];
        let other_id = !id.is_empty() && !last.id.is_empty();
        let continues = last.name.is_empty() || (last.name == name && !last.is_finished() && !other_id);
        (name.is_empty() || continues).then_some(place)
    }

    /// The finished calls, each with an id of its own. `cut_off` says that the reply ended at its
    /// length limit, so that the last call must not run.
    pub fn settle(self, cut_off: bool) -> Vec<ToolCall> {
        let named: Vec<Slot> = self.slots.into_iter().filter(|slot| !slot.name.is_empty()).collect();
        let last = named.len().saturating_sub(1);
        let mut calls: Vec<ToolCall> = Vec::with_capacity(named.len());
        for (place, slot) in named.into_iter().enumerate() {
            let taken = calls.iter().any(|call| call.id == slot.id);
            let id = if slot.id.is_empty() || taken { minted(place, &slot) } else { slot.id };
            let arguments = arguments::settle(&slot.arguments, cut_off && place == last);
            calls.push(ToolCall { id, name: slot.name, arguments, extra: slot.extra });
        }
        calls
    }
}

/// An id for a call that came without one: a hash of what it is, so that the same stream gives the
/// same reply.
fn minted(place: usize, slot: &Slot) -> String {
    let bytes = slot.name.bytes().chain(slot.arguments.bytes()).chain(place.to_le_bytes());
    format!("call_{:016x}", fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Arguments;
    use serde_json::json;

    /// Feeds deltas and compares `name(arguments)` and, where given, the ids.
    #[track_caller]
    fn check(deltas: Value, expected: &[&str], ids: &[&str]) {
        let mut calls = Calls::default();
        for delta in deltas.as_array().unwrap() {
            calls.push(serde_json::from_value(delta.clone()).unwrap());
        }
        let settled = calls.settle(false);
        let shown: Vec<String> = settled
            .iter()
            .map(|call| match &call.arguments {
                Arguments::Object(_) => format!("{}({})", call.name, call.arguments.to_json()),
                Arguments::Unusable { .. } => format!("{}!", call.name),
            })
            .collect();
        assert_eq!(shown, expected);
        for (call, id) in settled.iter().zip(ids) {
            assert_eq!(call.id, *id);
        }
    }

    fn delta(index: Value, id: &str, name: &str, arguments: &str) -> Value {
        json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}})
    }

    #[test]
    fn one_call_in_pieces() {
        let whole = &["save({\"a\":1})"];
        let d = delta;
        check(
            json!([d(0.into(), "k", "save", ""), d(0.into(), "", "", "{\"a\""), d(0.into(), "", "", ":1}")]),
            whole,
            &["k"],
        );
        check(json!([d(0.into(), "k", "save", "{\"a\""), d(0.into(), "k", "save", ":1}")]), whole, &["k"]);
        check(
            json!([d(0.into(), "k", "sa", ""), d(0.into(), "", "ve", ""), d(0.into(), "", "", "{\"a\":1}")]),
            whole,
            &["k"],
        );
        check(json!([d(Value::Null, "k", "save", "{\"a\""), d(Value::Null, "", "", ":1}")]), whole, &["k"]);
        check(
            json!([{"index": 0, "function": {"arguments": "{\"a\""}}, d(0.into(), "k", "save", ":1}")]),
            whole,
            &["k"],
        );
        check(json!([d(3.into(), "k", "save", "{\"a\""), d(3.into(), "other", "", ":1}")]), whole, &["k"]);
        check(
            json!([{"index": "0", "id": null, "type": null, "function": {"name": "save", "arguments": {"a": 1}}}, {"index": 0, "function": null}]),
            whole,
            &[],
        );
        check(
            json!([d(0.into(), "k", "save", "{\"a\":1}"), d(0.into(), "k", "save", "{\"a\":1}")]),
            whole,
            &["k"],
        );
    }

    #[test]
    fn several_calls_stay_apart() {
        let two = &["save({\"a\":1})", "save({\"a\":2})"];
        let d = delta;
        let (one, other) = ("{\"a\":1}", "{\"a\":2}");
        check(json!([d(0.into(), "k", "save", one), d(1.into(), "l", "save", other)]), two, &["k", "l"]);
        check(json!([d(0.into(), "k", "save", one), d(0.into(), "l", "save", other)]), two, &["k", "l"]);
        check(json!([d(0.into(), "", "save", one), d(0.into(), "", "save", other)]), two, &[]);
        check(
            json!([d(Value::Null, "k", "save", one), d(Value::Null, "l", "save", other)]),
            two,
            &["k", "l"],
        );
        check(json!([d(Value::Null, "", "save", one), d(Value::Null, "", "save", other)]), two, &[]);
        check(
            json!([
                d(0.into(), "k", "save", "{\"a\""),
                d(1.into(), "l", "save", "{\"a\""),
                d(0.into(), "", "", ":1}"),
                d(1.into(), "", "", ":2}")
            ]),
            two,
            &["k", "l"],
        );
        check(
            json!([d(1.into(), "k", "list", ""), d(2.into(), "k", "list", "")]),
            &["list({})", "list({})"],
            &["k"],
        );
    }

    #[test]
    fn ids_are_unique_and_never_blank() {
        let mut calls = Calls::default();
        for _ in 0..2 {
            calls.push(FunctionDelta { name: "list".into(), arguments: json!({}) }.into());
        }
        let ids: Vec<String> = calls.settle(false).into_iter().map(|call| call.id).collect();
        assert!(ids[0] != ids[1] && ids.iter().all(|id| id.len() > 9), "{ids:?}");
    }

    #[test]
    fn the_last_call_of_a_cut_reply_never_runs() {
        let mut calls = Calls::default();
        for index in 0..2u64 {
            calls.push(serde_json::from_value(delta(index.into(), "", "save", "{}")).unwrap());
        }
        let settled = calls.settle(true);
        assert!(matches!(settled[0].arguments, Arguments::Object(_)));
        assert!(matches!(settled[1].arguments, Arguments::Unusable { .. }));
    }
}
