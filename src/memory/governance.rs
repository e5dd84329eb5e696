//! What else a record may say: where it comes from, how sure it is, how long it holds, what it rests on.
//!
//! Every field is optional and left out where it says nothing, so that a plain record keeps its seven keys.
//! When and how often a memory was used is not here: it is derived from the audit log.

use chrono::{DateTime, FixedOffset, Local, NaiveDate, NaiveDateTime, TimeZone};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Importance of a memory that says nothing about it, on the scale of 1 to 10.
pub const USUAL_IMPORTANCE: u8 = 5;

/// Who brought a memory in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The model's tool call.
    #[default]
    Tool,
    /// The user asked for it.
    Explicit,
    /// Found in what the user said.
    Extracted,
    Imported,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Explicit => "explicit",
            Self::Extracted => "extracted",
            Self::Imported => "imported",
        }
    }
}

/// What a semantic memory says, as a triple.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fact {
    pub subject: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject_type: String,
    pub relation: String,
    pub object: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub object_type: String,
}

/// What a memory rests on: the user's own words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Evidence {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thread: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub turn: String,
    pub quote: String,
}

/// The optional fields of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Governance {
    pub source: Source,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// 1 to 10.
    pub importance: Option<u8>,
    pub pinned: bool,
    /// Local ISO-8601 time with its offset, like the other times here.
    pub expires_at: Option<String>,
    pub fact: Option<Fact>,
    pub evidence: Option<Evidence>,
    /// Since when it holds, or when it happens.
    pub valid_from: Option<String>,
    pub valid_to: Option<String>,
    /// The id of the memory that took its place.
    pub superseded_by: Option<String>,
}

/// Their keys, in the order they are written.
pub const GOVERNANCE_FIELDS: [&str; 10] = [
    "source",
    "confidence",
    "importance",
    "pinned",
    "expires_at",
    "fact",
    "evidence",
    "valid_from",
    "valid_to",
    "superseded_by",
];

impl Governance {
    /// Reads the optional fields of a record. What cannot be understood reads as absent.
    pub fn from_json(record: &Value) -> Self {
        fn read<T: for<'de> Deserialize<'de>>(record: &Value, key: &str) -> Option<T> {
            record.get(key).filter(|value| !value.is_null()).and_then(|value| T::deserialize(value).ok())
        }
        let time = |key| read::<String>(record, key).filter(|text| !text.is_empty());
        Self {
            source: read(record, "source").unwrap_or_default(),
            confidence: read(record, "confidence"),
            importance: read(record, "importance"),
            pinned: read(record, "pinned").unwrap_or_default(),
            expires_at: time("expires_at"),
            fact: read(record, "fact"),
            evidence: read(record, "evidence"),
            valid_from: time("valid_from"),
            valid_to: time("valid_to"),
            superseded_by: time("superseded_by"),
        }
    }

    /// The keys that say something, each with the JSON text of its value.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        fn text<T: Serialize>(value: &Option<T>) -> Option<String> {
            value.as_ref().and_then(|value| serde_json::to_string(value).ok())
        }
        let values = [
            text(&Some(self.source).filter(|source| *source != Source::Tool)),
            text(&self.confidence),
            text(&self.importance),
            self.pinned.then(|| "true".to_owned()),
            text(&self.expires_at),
            text(&self.fact),
            text(&self.evidence),
            text(&self.valid_from),
            text(&self.valid_to),
            text(&self.superseded_by),
        ];
        GOVERNANCE_FIELDS.into_iter().zip(values).filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// Whether the memory holds at `now`: not expired, not superseded, not over.
    pub fn holds(&self, now: DateTime<Local>) -> bool {
        let over = |end: &Option<String>| {
            end.as_deref().and_then(time_of).is_some_and(|end| end <= now.fixed_offset())
        };
        self.superseded_by.is_none() && !over(&self.expires_at) && !over(&self.valid_to)
    }

    pub fn importance(&self) -> u8 {
        self.importance.unwrap_or(USUAL_IMPORTANCE).clamp(1, 10)
    }
}

/// Reads a time of a record: with an offset, or local without one, or a day.
pub fn time_of(text: &str) -> Option<DateTime<FixedOffset>> {
    let text = text.trim();
    let local = |time: NaiveDateTime| Local.from_local_datetime(&time).earliest().map(|t| t.fixed_offset());
    DateTime::parse_from_rfc3339(text)
        .ok()
        .or_else(|| text.parse::<NaiveDateTime>().ok().and_then(local))
        .or_else(|| local(text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0)?))
}

/// A local time with its offset, to the second, as the optional fields have it.
pub fn offset_time(time: DateTime<Local>) -> String {
    time.to_rfc3339_opts(chrono::SecondsFormat::Secs, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_reads_back() {
        let governance = Governance {
            source: Source::Extracted,
            confidence: Some(0.9),
            importance: Some(8),
            pinned: true,
            expires_at: Some("2026-12-01T00:00:00+08:00".into()),
            fact: Some(Fact {
                subject: "user".into(),
                relation: "lives_in".into(),
                object: "成都".into(),
                ..Fact::default()
            }),
            evidence: Some(Evidence { quote: "我住在成都".into(), ..Evidence::default() }),
            valid_from: None,
            valid_to: None,
            superseded_by: Some("b".into()),
        };
        let fields = governance.fields();
        let record: serde_json::Map<String, Value> = fields
            .iter()
            .map(|(key, text)| ((*key).to_owned(), serde_json::from_str(text).unwrap()))
            .collect();
        assert_eq!(record["fact"], json!({"subject": "user", "relation": "lives_in", "object": "成都"}));
        assert_eq!(Governance::from_json(&Value::Object(record)), governance);
        assert_eq!(Governance::default().fields(), []);
    }

    #[test]
    fn what_is_strange_reads_as_absent() {
        let strange =
            json!({"source": "dream", "importance": "high", "pinned": 1, "fact": [], "valid_to": ""});
        assert_eq!(Governance::from_json(&strange), Governance::default());
    }

    #[test]
    fn what_holds_when() {
        let now = Local.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).unwrap();
        let check = |key: &str, value: &str, expected: bool| {
            let governance = Governance::from_json(&json!({ key: value }));
            assert_eq!(governance.holds(now), expected, "{key} {value}");
        };
        check("expires_at", "2026-11-30T11:59:59", false);
        check("expires_at", "2026-12-01", true);
        check("expires_at", "some day", true);
        check("valid_to", "2020-01-01T00:00:00Z", false);
        check("valid_from", "2099-01-01", true);
        check("superseded_by", "x", false);
    }
}
