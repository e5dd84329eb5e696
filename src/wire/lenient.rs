//! Fields that decode to their default when they are null or of an unexpected type.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// For `#[serde(default, deserialize_with = "lenient")]`: whatever is there, as `T` if it can be.
pub fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// A list in which each element is lenient on its own: one strange element does not lose the others.
pub fn lenient_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Value::Array(values) = Value::deserialize(deserializer)? else { return Ok(Vec::new()) };
    Ok(values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect())
}

/// A count that may come as an integer, a float or a numeric string.
pub fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let number = match &value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    Ok(number.filter(|number| *number >= 0.0).map(|number| number as u64))
}

/// Text out of whatever stands where text is expected: a string, a list of parts, an object that
/// holds a `text`. Anything else is no text.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(part)
            if part.get("type").is_none_or(|kind| kind == "text" || kind == "output_text") =>
        {
            part.get("text").map(text_of).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The thinking among a list of parts.
pub fn thinking_of(value: &Value) -> String {
    let parts = value.as_array().into_iter().flatten();
    let thinking = parts.filter(|part| {
        part.get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| kind.contains("think") || kind.contains("reason"))
    });
    thinking
        .map(|part| {
            ["thinking", "text", "reasoning"]
                .into_iter()
                .find_map(|key| part.get(key))
                .map(|inner| match inner {
                    Value::Array(_) => text_of(inner),
                    other => other.as_str().unwrap_or_default().to_owned(),
                })
                .unwrap_or_default()
        })
        .collect()
}

/// The refusals among a list of parts.
pub fn refusal_of(value: &Value) -> String {
    let parts = value.as_array().into_iter().flatten();
    parts.filter_map(|part| part.get("refusal")?.as_str()).collect()
}

/// [`text_of`] as a field attribute.
pub fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(text_of(&Value::deserialize(deserializer)?))
}
