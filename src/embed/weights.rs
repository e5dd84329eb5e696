//! The file of the built-in model, read in place.
//!
//! Little endian throughout. Nothing is copied here but numbers; a file that is not what it should be
//! gives `None`, whatever is in it.

use std::collections::HashMap;

/// Elements of a row that share a scale.
pub const BLOCK: usize = 32;
/// Bytes of such a block: an f16 scale and 32 values of four bits.
pub const BLOCK_BYTES: usize = 2 + BLOCK / 2;

const MAGIC: &[u8; 8] = b"E5S1\x01\0\0\0";

/// How large everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    /// Width inside the feed-forward part.
    pub inner: usize,
    pub pieces: usize,
    pub positions: usize,
}

/// Ids of the pieces that stand for no text.
#[derive(Debug, Clone, Copy)]
pub struct Special {
    pub begin: u32,
    pub end: u32,
    pub pad: u32,
    pub unknown: u32,
}

/// Everything in the file.
#[derive(Debug)]
pub struct Weights<'a> {
    pub shape: Shape,
    /// Added to the variance in layer norms.
    pub epsilon: f32,
    pub special: Special,
    /// Text and log-probability of each piece; its id is its place.
    pub pieces: Vec<(&'a [u8], f32)>,
    /// What single characters become before they are looked up.
    pub replacements: HashMap<char, String>,
    tensors: HashMap<&'a str, Tensor<'a>>,
}

#[derive(Debug, Clone, Copy)]
struct Tensor<'a> {
    quantised: bool,
    elements: usize,
    bytes: &'a [u8],
}

impl<'a> Weights<'a> {
    pub fn read(file: &'a [u8]) -> Option<Self> {
        let mut bytes = Bytes(file);
        if bytes.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let [hidden, layers, heads, inner, vocabulary, positions, _types] = bytes.numbers()?;
        let epsilon = bytes.float()?;
        let [block, pieces] = bytes.numbers()?;
        let shape = Shape { hidden, layers, heads, inner, pieces, positions };
        let whole_blocks = [hidden, inner].iter().all(|width| *width > 0 && width.is_multiple_of(BLOCK));
        if block != BLOCK
            || vocabulary != pieces
            || !whole_blocks
            || heads == 0
            || !hidden.is_multiple_of(heads)
        {
            return None;
        }
        let [begin, end, pad, unknown] = [bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?];
        let pieces = pieces_in(&mut bytes, pieces)?;
        let replacements = replacements_in(&mut bytes)?;
        let tensors = tensors_in(&mut bytes, file)?;
        Some(Self {
            shape,
            epsilon,
            special: Special { begin, end, pad, unknown },
            pieces,
            replacements,
            tensors,
        })
    }

    /// The tensor `name` of `elements` plain numbers.
    pub fn floats(&self, name: &str, elements: usize) -> Option<Vec<f32>> {
        let tensor =
            self.tensors.get(name).filter(|tensor| !tensor.quantised && tensor.elements == elements)?;
        let (fours, rest) = tensor.bytes.as_chunks();
        (fours.len() == elements && rest.is_empty())
            .then(|| fours.iter().map(|four| f32::from_le_bytes(*four)).collect())
    }

    /// The blocks of the quantised matrix `name`, row after row.
    pub fn blocks(&self, name: &str, rows: usize, columns: usize) -> Option<&'a [[u8; BLOCK_BYTES]]> {
        let elements = rows.checked_mul(columns)?;
        let tensor =
            self.tensors.get(name).filter(|tensor| tensor.quantised && tensor.elements == elements)?;
        let (blocks, rest) = tensor.bytes.as_chunks();
        (blocks.len() == elements / BLOCK && rest.is_empty()).then_some(blocks)
    }
}

/// The scale of a block.
pub fn scale(block: &[u8; BLOCK_BYTES]) -> f32 {
    let [low, high, ..] = *block;
    from_f16(u16::from_le_bytes([low, high]))
}

/// IEEE 754 binary16 to binary32.
fn from_f16(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(half >> 10 & 0x1F), u32::from(half & 0x3FF));
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        0x1F => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

fn pieces_in<'a>(bytes: &mut Bytes<'a>, count: usize) -> Option<Vec<(&'a [u8], f32)>> {
    let length = usize::try_from(bytes.u64()?).ok()?;
    let offsets = bytes.u32s(count.checked_add(1)?)?;
    let scores = bytes.u32s(count)?;
    let text = bytes.take(length)?;
    let ends = offsets.iter().skip(1);
    let ranges = offsets.iter().zip(ends).map(|(start, end)| *start as usize..*end as usize);
    ranges.zip(&scores).map(|(range, score)| Some((text.get(range)?, f32::from_bits(*score)))).collect()
}

fn replacements_in(bytes: &mut Bytes<'_>) -> Option<HashMap<char, String>> {
    let count = bytes.u32()?;
    let mut table = Bytes(usize::try_from(bytes.u32()?).ok().and_then(|length| bytes.take(length))?);
    (0..count)
        .map(|_| {
            let from = char::from_u32(table.u32()?)?;
            let length = usize::from(*table.take(1)?.first()?);
            let to = table.u32s(length)?.into_iter().map(char::from_u32).collect::<Option<String>>()?;
            Some((from, to))
        })
        .collect()
}

fn tensors_in<'a>(bytes: &mut Bytes<'a>, file: &'a [u8]) -> Option<HashMap<&'a str, Tensor<'a>>> {
    let count = bytes.u32()?;
    (0..count)
        .map(|_| {
            let name_length = usize::from(u16::from_le_bytes(bytes.array()?));
            let name = std::str::from_utf8(bytes.take(name_length)?).ok()?;
            let quantised = *bytes.take(1)?.first()? != 0;
            let elements = bytes.u32()? as usize;
            let start = usize::try_from(bytes.u64()?).ok()?;
            let end = start.checked_add(usize::try_from(bytes.u64()?).ok()?)?;
            Some((name, Tensor { quantised, elements, bytes: file.get(start..end)? }))
        })
        .collect()
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn float(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes)
    }

    fn numbers<const N: usize>(&mut self) -> Option<[usize; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.u32()? as usize;
        }
        Some(numbers)
    }

    fn u32s(&mut self, count: usize) -> Option<Vec<u32>> {
        let (fours, _) = self.take(count.checked_mul(4)?)?.as_chunks();
        Some(fours.iter().map(|four| u32::from_le_bytes(*four)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for (half, float) in [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x8000, -0.0),
            (0x7C00, f32::INFINITY),
        ] {
            assert_eq!(from_f16(half).to_bits(), float.to_bits(), "{half:#x}");
        }
    }

    #[test]
    fn what_is_no_model_is_none() {
        assert!(Weights::read(b"").is_none());
        assert!(Weights::read(b"GGUF....").is_none());
        let mut cut = MAGIC.to_vec();
        cut.extend([0xFF; 64]);
        assert!(Weights::read(&cut).is_none());
    }
}
