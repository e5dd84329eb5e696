//! The built-in model: multilingual-e5-small with weights of four bits, for Chinese and English.
//!
//! A transformer encoder (Vaswani et al., "Attention Is All You Need", 2017; the layers of BERT,
//! Devlin et al., 2018), its output averaged over the tokens (Wang et al., "Multilingual E5 Text
//! Embeddings", 2024). Everything runs on the CPU; nothing is fetched. Other scripts than Han and Latin
//! become unknown pieces and lose quality.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::kernel::{Inputs, Kernel, Linear, Portable};
use super::math::{add, add_scaled, gelu, softmax, sum};
use super::pieces::Pieces;
use super::weights::{BLOCK, BLOCK_BYTES, Shape, Weights, scale};
use crate::memory::BUILT_IN_DIMENSIONS;

/// Pieces of a text that are read at once, begin and end not counted.
const TOKEN_LIMIT: usize = 510;
/// Width of an attention head.
const HEAD: usize = 32;
/// Put before every text, whether it asks or answers, as the model was trained.
const PREFIX: &str = "query: ";
/// Pieces of the prefix.
const PREFIX_TOKENS: usize = 3;

#[cfg(feature = "built-in-embedder")]
static FILE: &[u8] = include_bytes!("../../assets/e5-small-zhen-q4/weights.bin");
#[cfg(not(feature = "built-in-embedder"))]
static FILE: &[u8] = &[];

/// The model, ready to use.
#[derive(Debug)]
pub struct Model {
    shape: Shape,
    epsilon: f32,
    begin: u32,
    end: u32,
    pieces: Pieces<'static>,
    words: &'static [[u8; BLOCK_BYTES]],
    /// For each place in a text what is added to the word there.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    /// Queries, keys and values, one after the other.
    attention: Linear,
    merge: Linear,
    attention_norm: Norm,
    widen: Linear,
    narrow: Linear,
    output_norm: Norm,
}

#[derive(Debug)]
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Model {
    /// The one model of this process, loaded by whoever comes first. `None` in a build without it.
    pub fn get() -> Option<&'static Self> {
        static MODEL: OnceLock<Option<Model>> = OnceLock::new();
        MODEL.get_or_init(|| Weights::read(FILE).and_then(|weights| Self::new(&weights))).as_ref()
    }

    fn new(weights: &Weights<'static>) -> Option<Self> {
        let shape = weights.shape;
        let Shape { hidden, pieces, positions, .. } = shape;
        let kind = weights.floats("emb.type", 2 * hidden)?;
        let mut places = weights.floats("emb.pos", positions * hidden)?;
        for place in places.chunks_exact_mut(hidden) {
            add(place, &kind[..hidden]);
        }
        let layers = (0..shape.layers).map(|number| Layer::new(weights, number)).collect::<Option<_>>()?;
        let fits =
            hidden == BUILT_IN_DIMENSIONS && hidden == shape.heads * HEAD && positions >= TOKEN_LIMIT + 2;
        fits.then_some(Self {
            shape,
            epsilon: weights.epsilon,
            begin: weights.special.begin,
            end: weights.special.end,
            pieces: Pieces::new(weights),
            words: weights.blocks("emb.word", pieces, hidden)?,
            positions: places,
            norm: Norm::new(weights, "emb.ln", hidden)?,
            layers,
        })
    }

    /// The unit vectors of the parts of `text`, [`TOKEN_LIMIT`] pieces each; at most `limit`, none of a text
    /// that says nothing.
    pub fn parts(&self, text: &str, limit: usize) -> Vec<Vec<f32>> {
        if limit == 0 || self.pieces.is_blank(text) {
            return Vec::new();
        }
        let ids = self.pieces.ids(&format!("{PREFIX}{text}"), TOKEN_LIMIT.saturating_mul(limit));
        let (first, rest) = ids.split_at(ids.len().min(TOKEN_LIMIT));
        let (prefix, _) = first.split_at(first.len().min(PREFIX_TOKENS));
        let further = rest.chunks(TOKEN_LIMIT - PREFIX_TOKENS).take(limit - 1);
        let further = further.map(|part| self.encode(&[prefix, part].concat()));
        std::iter::once(self.encode(first)).chain(further).collect()
    }

    /// The parts of each of `texts`, computed on all cores.
    pub fn parts_of_all(&self, texts: &[&str], limit: usize) -> Vec<Vec<Vec<f32>>> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(texts.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(text) = texts.get(place) else { return done };
                done.push((place, self.parts(text, limit)));
            }
        };
        let mut parts = vec![Vec::new(); texts.len()];
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
            let done = work()
                .into_iter()
                .chain(others.into_iter().flat_map(|other| other.join().unwrap_or_default()));
            for (place, found) in done {
                parts[place] = found;
            }
        });
        parts
    }

    /// The unit vector of pieces, at most [`TOKEN_LIMIT`].
    fn encode(&self, ids: &[u32]) -> Vec<f32> {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return pulp::Simd::vectorize(simd, Encode { model: self, ids, kernel: simd });
        }
        pulp::Arch::new().dispatch(|| self.encode_with(Portable, ids))
    }

    #[inline(always)]
    fn encode_with<K: Kernel>(&self, kernel: K, ids: &[u32]) -> Vec<f32> {
        let hidden = self.shape.hidden;
        let ids = [self.begin].into_iter().chain(ids.iter().copied()).chain([self.end]);
        let mut states: Vec<f32> = Vec::new();
        for (place, id) in ids.enumerate() {
            self.push_word(id, &mut states);
            let start = place * hidden;
            add(&mut states[start..], &self.positions[start..start + hidden]);
        }
        self.norm.apply(self.epsilon, &mut states);
        let mut scratch = Scratch::default();
        for layer in &self.layers {
            layer.apply(kernel, self, &mut states, &mut scratch);
        }
        let mut mean = vec![0.0; hidden];
        for state in states.chunks_exact(hidden) {
            add(&mut mean, state);
        }
        let length = mean.iter().map(|value| value * value).sum::<f32>().sqrt();
        for value in &mut mean {
            *value /= length;
        }
        mean
    }

    fn push_word(&self, id: u32, states: &mut Vec<f32>) {
        let per_row = self.shape.hidden / BLOCK;
        for block in &self.words[id as usize * per_row..][..per_row] {
            let scale = scale(block);
            let value = |nibble: u8| f32::from(nibble as i8 - 8) * scale;
            states.extend(block[2..].iter().map(|byte| value(byte & 0x0F)));
            states.extend(block[2..].iter().map(|byte| value(byte >> 4)));
        }
    }
}

/// [`Model::encode_with`] as something to be compiled for a processor.
#[cfg(target_arch = "x86_64")]
struct Encode<'a, K> {
    model: &'a Model,
    ids: &'a [u32],
    kernel: K,
}

#[cfg(target_arch = "x86_64")]
impl<K: Kernel> pulp::NullaryFnOnce for Encode<'_, K> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn call(self) -> Vec<f32> {
        self.model.encode_with(self.kernel, self.ids)
    }
}

/// Room that layers share.
#[derive(Debug, Default)]
struct Scratch {
    inputs: Inputs,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    keys: Vec<f32>,
    weights: Vec<f32>,
}

impl Layer {
    fn new(weights: &Weights<'_>, number: usize) -> Option<Self> {
        let Shape { hidden, inner, .. } = weights.shape;
        let linear = |names: &[&str], rows: usize, columns: usize| {
            let tensor = |name: &&str| weights.blocks(&format!("l{number}.{name}.w"), rows, columns);
            let blocks = names.iter().map(tensor).collect::<Option<Vec<_>>>()?;
            let bias = |name: &&str| weights.floats(&format!("l{number}.{name}.b"), rows);
            Linear::new(columns, &blocks, names.iter().map(bias).collect::<Option<Vec<_>>>()?.concat())
        };
        Some(Self {
            attention: linear(&["q", "k", "v"], hidden, hidden)?,
            merge: linear(&["ao"], hidden, hidden)?,
            attention_norm: Norm::new(weights, &format!("l{number}.aln"), hidden)?,
            widen: linear(&["fi"], inner, hidden)?,
            narrow: linear(&["fo"], hidden, inner)?,
            output_norm: Norm::new(weights, &format!("l{number}.oln"), hidden)?,
        })
    }

    #[inline(always)]
    fn apply<K: Kernel>(&self, kernel: K, model: &Model, states: &mut [f32], scratch: &mut Scratch) {
        scratch.inputs.set(states);
        self.attention.apply(kernel, &scratch.inputs, &mut scratch.wide);
        attend(model.shape, scratch);
        scratch.inputs.set(&scratch.narrow);
        self.merge.apply(kernel, &scratch.inputs, &mut scratch.narrow);
        add(states, &scratch.narrow);
        self.attention_norm.apply(model.epsilon, states);
        scratch.inputs.set(states);
        self.widen.apply(kernel, &scratch.inputs, &mut scratch.wide);
        for value in &mut scratch.wide {
            *value = gelu(*value);
        }
        scratch.inputs.set(&scratch.wide);
        self.narrow.apply(kernel, &scratch.inputs, &mut scratch.narrow);
        add(states, &scratch.narrow);
        self.output_norm.apply(model.epsilon, states);
    }
}

impl Norm {
    fn new(weights: &Weights<'_>, name: &str, hidden: usize) -> Option<Self> {
        let half = |half: &str| weights.floats(&format!("{name}.{half}"), hidden);
        Some(Self { weight: half("w")?, bias: half("b")? })
    }

    /// Layer norm (Ba et al., 2016) of each state.
    #[inline(always)]
    fn apply(&self, epsilon: f32, states: &mut [f32]) {
        let hidden = self.weight.len();
        for state in states.chunks_exact_mut(hidden) {
            let mean = sum(state, |value| value) / hidden as f32;
            let variance = sum(state, |value| (value - mean) * (value - mean)) / hidden as f32;
            let inverse = 1.0 / (variance + epsilon).sqrt();
            for ((value, weight), bias) in state.iter_mut().zip(&self.weight).zip(&self.bias) {
                *value = (*value - mean) * inverse * weight + bias;
            }
        }
    }
}

/// Scaled dot-product attention. Reads queries, keys and values from `wide`, writes to `narrow`.
#[inline(always)]
fn attend(shape: Shape, scratch: &mut Scratch) {
    let Scratch { wide, narrow, keys, weights, .. } = scratch;
    let hidden = shape.hidden;
    let factor = 1.0 / (HEAD as f32).sqrt();
    let tokens = wide.len() / (3 * hidden);
    // Keys lie on their side in rows of whole blocks, so that the products of a query with a block of
    // them stay in registers.
    let row = tokens.next_multiple_of(BLOCK);
    narrow.resize(tokens * hidden, 0.0);
    keys.clear();
    keys.resize(HEAD * row, 0.0);
    weights.resize(row, 0.0);
    for head in 0..shape.heads {
        let part = |token: usize, kind: usize| token * 3 * hidden + kind * hidden + head * HEAD;
        for token in 0..tokens {
            for (place, value) in wide[part(token, 1)..][..HEAD].iter().enumerate() {
                keys[place * row + token] = value * factor;
            }
        }
        for token in 0..tokens {
            let query = &wide[part(token, 0)..][..HEAD];
            for (number, weights) in weights.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
                let mut products = [0.0; BLOCK];
                for (place, query) in query.iter().enumerate() {
                    add_scaled(&mut products, &keys[place * row + number * BLOCK..][..BLOCK], *query);
                }
                *weights = products;
            }
            softmax(&mut weights[..tokens]);
            let mut output = [0.0; HEAD];
            for (other, weight) in weights[..tokens].iter().enumerate() {
                add_scaled(&mut output, &wide[part(other, 2)..][..HEAD], *weight);
            }
            narrow[token * hidden + head * HEAD..][..HEAD].copy_from_slice(&output);
        }
    }
}

#[cfg(all(test, feature = "built-in-embedder"))]
mod tests {
    use super::*;
    use serde_json::Value;

    fn cosine(a: &[f32], b: &[f32]) -> f64 {
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    #[test]
    fn ids_and_vectors_are_those_of_the_reference() {
        let model = Model::get().unwrap();
        let rows = include_str!("../../assets/e5-small-zhen-q4/vectors.jsonl").lines();
        let rows: Vec<Value> = rows.map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), 99);
        let texts: Vec<&str> = rows.iter().map(|row| row["text"].as_str().unwrap()).collect();
        let parts = model.parts_of_all(&texts, 1);
        for ((row, text), parts) in rows.iter().zip(&texts).zip(&parts) {
            let numbers =
                |key: &str| row[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap());
            let ids: Vec<u32> = numbers("token_ids").map(|id| id as u32).collect();
            assert_eq!(model.pieces.ids(&format!("{PREFIX}{text}"), TOKEN_LIMIT), ids, "{text}");
            match parts.first() {
                Some(vector) => {
                    let expected: Vec<f32> = numbers("vector").map(|number| number as f32).collect();
                    let cosine = cosine(vector, &expected);
                    assert!(cosine >= 0.999, "{cosine} for {text}");
                    assert!((length(vector) - 1.0).abs() < 1e-5);
                }
                // What says nothing has no vector, whatever the reference makes of it.
                None => assert_eq!(text.trim(), ""),
            }
        }
    }

    fn length(vector: &[f32]) -> f32 {
        vector.iter().map(|value| value * value).sum::<f32>().sqrt()
    }

    #[test]
    fn the_plain_kernel_agrees() {
        let model = Model::get().unwrap();
        let ids = model.pieces.ids("query: 用户对花生过敏 peanuts", TOKEN_LIMIT);
        // The last bit of a sum can tip what is rounded next.
        let cosine = cosine(&model.encode_with(Portable, &ids), &model.encode(&ids));
        assert!(cosine > 0.9999, "{cosine}");
    }

    #[test]
    fn any_text_gives_a_unit_vector_or_none() {
        let model = Model::get().unwrap();
        let megabyte = "深圳 shenzhen\n".repeat(60_000);
        for text in
            ["", " \n\t", "\u{200b}\u{feff}", "\u{1}", "𠀀", "한국어", "🤷🏽‍♀️", "\0", "<s></s><unk>", &megabyte]
        {
            let parts = model.parts(text, 1);
            assert!(parts.len() <= 1, "{text:.20}");
            for part in parts {
                assert!((length(&part) - 1.0).abs() < 1e-5, "{text:.20}");
            }
        }
        assert!(model.parts(" \u{3000}", 5).is_empty());
    }

    #[test]
    fn a_long_text_has_a_vector_for_each_part() {
        let model = Model::get().unwrap();
        let text = "one two three four five ".repeat(250);
        let parts = model.parts(&text, 3);
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[0], model.parts(&text, 1)[0]);
    }
}
