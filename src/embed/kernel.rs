//! Matrix times vectors in small integers: weights of four bits, inputs of eight.
//!
//! Both sides are cut into blocks of 32 along a row, each with a scale. Within a block the products
//! are summed exactly in integers. The weights of eight rows are kept side by side, so that one
//! vector instruction serves eight outputs and no sum across lanes is needed.
//!
//! On x86-64 with AVX2 the inner loop is written for it (`pulp` checks for it and keeps the calls safe);
//! elsewhere the same sums are plain Rust.

use super::weights::{BLOCK, BLOCK_BYTES, scale};

/// Rows that are kept side by side.
const GROUP: usize = 8;
/// Values of an input that meet one load of weights.
const STEP: usize = 4;
/// Weights are stored as 0 to 15 and mean this much less.
const WEIGHT_OFFSET: i32 = 8;
/// The largest size of an input value, so that no sum of 16 products of a block leaves 16 bits.
const INPUT_MAX: f32 = 127.0;

/// Blocks of eight rows. Byte `[j][4·r + i]` holds, of row `r`, element `4·j + i` in its low half and
/// element `16 + 4·j + i` in its high half.
type PackedBlock = [[u8; GROUP * STEP]; BLOCK / STEP / 2];

/// A layer `y = W·x + b`.
#[derive(Debug)]
pub struct Linear {
    rows: usize,
    blocks_per_row: usize,
    /// For each group of rows its blocks.
    packed: Vec<PackedBlock>,
    scales: Vec<[f32; GROUP]>,
    bias: Vec<f32>,
}

/// Vectors in eight bits, each cut into blocks.
#[derive(Debug, Default)]
pub struct Inputs {
    values: Vec<[i8; BLOCK]>,
    /// Scale of each block, and the sum of its values times [`WEIGHT_OFFSET`].
    scales: Vec<(f32, i32)>,
}

impl Inputs {
    /// Rounds `vectors`, whose length is a multiple of [`BLOCK`].
    #[inline(always)]
    pub fn set(&mut self, vectors: &[f32]) {
        let (blocks, _) = vectors.as_chunks::<BLOCK>();
        self.values.resize(blocks.len(), [0; BLOCK]);
        self.scales.resize(blocks.len(), (0.0, 0));
        for ((block, values), scale) in blocks.iter().zip(&mut self.values).zip(&mut self.scales) {
            let mut highest = [0f32; GROUP];
            for eight in block.as_chunks::<GROUP>().0 {
                for (highest, value) in highest.iter_mut().zip(eight) {
                    *highest = if value.abs() > *highest { value.abs() } else { *highest };
                }
            }
            let highest = highest.iter().copied().fold(0.0, f32::max);
            let inverse = if highest > 0.0 { INPUT_MAX / highest } else { 0.0 };
            let mut sum = 0;
            for (value, number) in values.iter_mut().zip(block) {
                // Adding and taking away 1.5 · 2^23 rounds to the nearest whole number.
                let rounded = (number * inverse + 12_582_912.0).to_bits() as i32 - 0x4B40_0000;
                *value = rounded as i8;
                sum += rounded;
            }
            *scale = (highest / INPUT_MAX, sum * WEIGHT_OFFSET);
        }
    }
}

impl Linear {
    /// Packs the rows of `blocks`; `None` when the sizes do not fit.
    pub fn new(columns: usize, blocks: &[&[[u8; BLOCK_BYTES]]], bias: Vec<f32>) -> Option<Self> {
        let blocks_per_row = columns / BLOCK;
        let rows = bias.len();
        let total: usize = blocks.iter().map(|blocks| blocks.len()).sum();
        if total != rows * blocks_per_row || !rows.is_multiple_of(GROUP) || total == 0 {
            return None;
        }
        let mut packed: Vec<PackedBlock> = vec![Default::default(); total / GROUP];
        let mut scales = vec![[0.0; GROUP]; total / GROUP];
        for (number, block) in blocks.iter().copied().flatten().enumerate() {
            let (row, column) = (number / blocks_per_row, number % blocks_per_row);
            let (place, lane) = (row / GROUP * blocks_per_row + column, row % GROUP);
            scales[place][lane] = scale(block);
            let (fours, _) = block[2..].as_chunks::<STEP>();
            for (line, four) in packed[place].iter_mut().zip(fours) {
                line[lane * STEP..][..STEP].copy_from_slice(four);
            }
        }
        Some(Self { rows, blocks_per_row, packed, scales, bias })
    }

    /// Writes `W·x + b` of each input to `outputs`, one after the other.
    #[inline(always)]
    pub fn apply<K: Kernel>(&self, kernel: K, inputs: &Inputs, outputs: &mut Vec<f32>) {
        let count = inputs.values.len() / self.blocks_per_row;
        outputs.resize(count * self.rows, 0.0);
        let per_row = self.blocks_per_row;
        let groups = self.packed.chunks_exact(per_row).zip(self.scales.chunks_exact(per_row));
        for (group, (packed, scales)) in groups.enumerate() {
            let panel = Panel { packed, scales };
            let mut first = 0;
            while first < count {
                let tile = (count - first).min(4);
                match tile {
                    4 => self.tile::<K, 4>(kernel, panel, inputs, group, first, outputs),
                    3 => self.tile::<K, 3>(kernel, panel, inputs, group, first, outputs),
                    2 => self.tile::<K, 2>(kernel, panel, inputs, group, first, outputs),
                    _ => self.tile::<K, 1>(kernel, panel, inputs, group, first, outputs),
                }
                first += tile;
            }
        }
    }

    #[inline(always)]
    fn tile<K: Kernel, const TILE: usize>(
        &self,
        kernel: K,
        panel: Panel<'_>,
        inputs: &Inputs,
        group: usize,
        first: usize,
        outputs: &mut [f32],
    ) {
        let per_row = self.blocks_per_row;
        let values: [&[[i8; BLOCK]]; TILE] =
            std::array::from_fn(|tile| &inputs.values[(first + tile) * per_row..][..per_row]);
        let scales: [&[(f32, i32)]; TILE] =
            std::array::from_fn(|tile| &inputs.scales[(first + tile) * per_row..][..per_row]);
        let sums = kernel.products(panel, values, scales);
        let bias = &self.bias[group * GROUP..][..GROUP];
        for (tile, sums) in sums.iter().enumerate() {
            let output = &mut outputs[(first + tile) * self.rows + group * GROUP..][..GROUP];
            for ((output, sum), bias) in output.iter_mut().zip(sums).zip(bias) {
                *output = sum + bias;
            }
        }
    }
}

/// The blocks of one group of rows.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    packed: &'a [PackedBlock],
    scales: &'a [[f32; GROUP]],
}

/// A way to compute the products.
pub trait Kernel: Copy {
    /// Eight rows times `TILE` inputs.
    fn products<const TILE: usize>(
        self,
        panel: Panel<'_>,
        values: [&[[i8; BLOCK]]; TILE],
        scales: [&[(f32, i32)]; TILE],
    ) -> [[f32; GROUP]; TILE];
}

/// Plain Rust.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn products<const TILE: usize>(
        self,
        panel: Panel<'_>,
        values: [&[[i8; BLOCK]]; TILE],
        scales: [&[(f32, i32)]; TILE],
    ) -> [[f32; GROUP]; TILE] {
        let mut sums = [[0f32; GROUP]; TILE];
        for (place, (packed, row_scales)) in panel.packed.iter().zip(panel.scales).enumerate() {
            for ((sums, values), scales) in sums.iter_mut().zip(values).zip(scales) {
                let (values, (input_scale, correction)) = (&values[place], scales[place]);
                let mut exact = [-correction; GROUP];
                for (j, line) in packed.iter().enumerate() {
                    for (lane, exact) in exact.iter_mut().enumerate() {
                        for i in 0..STEP {
                            let byte = line[lane * STEP + i];
                            *exact += i32::from(byte & 0x0F) * i32::from(values[j * STEP + i])
                                + i32::from(byte >> 4) * i32::from(values[BLOCK / 2 + j * STEP + i]);
                        }
                    }
                }
                for ((sum, exact), row_scale) in sums.iter_mut().zip(exact).zip(row_scales) {
                    *sum += exact as f32 * (row_scale * input_scale);
                }
            }
        }
        sums
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel for pulp::x86::V3 {
    #[inline(always)]
    fn products<const TILE: usize>(
        self,
        panel: Panel<'_>,
        values: [&[[i8; BLOCK]]; TILE],
        scales: [&[(f32, i32)]; TILE],
    ) -> [[f32; GROUP]; TILE] {
        use std::arch::x86_64::{__m256, __m256i};
        let pulp::x86::V3 { avx, avx2, fma, .. } = self;
        let (low_half, ones) = (avx._mm256_set1_epi8(0x0F), avx._mm256_set1_epi16(1));
        let blocks = panel.packed.len();
        let (all_row_scales, values, scales) = (
            &panel.scales[..blocks],
            values.map(|values| &values[..blocks]),
            scales.map(|scales| &scales[..blocks]),
        );
        let mut sums: [__m256; TILE] = [avx._mm256_setzero_ps(); TILE];
        for (place, (packed, row_scales)) in panel.packed.iter().zip(all_row_scales).enumerate() {
            let mut exact: [__m256i; TILE] = [avx._mm256_setzero_si256(); TILE];
            for (j, line) in packed.iter().enumerate() {
                let line: __m256i = pulp::cast(*line);
                let low = avx2._mm256_and_si256(line, low_half);
                let high = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(line), low_half);
                for (exact, values) in exact.iter_mut().zip(values) {
                    let (fours, _) = values[place].as_chunks::<STEP>();
                    let four =
                        |step: usize| avx._mm256_set1_epi32(pulp::cast::<[i8; STEP], i32>(fours[step]));
                    let low = avx2._mm256_maddubs_epi16(low, four(j));
                    let high = avx2._mm256_maddubs_epi16(high, four(BLOCK / STEP / 2 + j));
                    *exact = avx2._mm256_add_epi16(*exact, avx2._mm256_add_epi16(low, high));
                }
            }
            let row_scales: __m256 = pulp::cast(*row_scales);
            for ((sum, exact), scales) in sums.iter_mut().zip(exact).zip(scales) {
                let (input_scale, correction) = scales[place];
                let exact = avx2._mm256_madd_epi16(exact, ones);
                let exact = avx2._mm256_sub_epi32(exact, avx._mm256_set1_epi32(correction));
                let scale = avx._mm256_mul_ps(row_scales, avx._mm256_set1_ps(input_scale));
                *sum = fma._mm256_fmadd_ps(avx._mm256_cvtepi32_ps(exact), scale, *sum);
            }
        }
        sums.map(pulp::cast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of scale 1 with `value(element)` from -8 to 7.
    fn block(value: impl Fn(usize) -> i8) -> [u8; BLOCK_BYTES] {
        let mut block = [0; BLOCK_BYTES];
        block[1] = 0x3C;
        for element in 0..BLOCK {
            let nibble = (value(element) + 8) as u8;
            block[2 + element % 16] |= if element < 16 { nibble } else { nibble << 4 };
        }
        block
    }

    /// `W[row][column]` of a matrix of any size.
    fn weight(row: usize, column: usize) -> i8 {
        ((row * 7 + column * 5 + row * column) % 16) as i8 - 8
    }

    fn matrix(rows: usize, columns: usize) -> Linear {
        let blocks: Vec<_> = (0..rows * columns / BLOCK)
            .map(|number| {
                let (row, first) = (number / (columns / BLOCK), number % (columns / BLOCK) * BLOCK);
                block(|element| weight(row, first + element))
            })
            .collect();
        Linear::new(columns, &[&blocks], (0..rows).map(|row| row as f32).collect()).unwrap()
    }

    /// Whole numbers whose largest in each block is 127, which are exact in eight bits.
    fn vector(seed: usize, columns: usize) -> Vec<f32> {
        let value = |place: usize| ((place * 31 + seed * 17) % 255) as f32 - 127.0;
        (0..columns).map(|place| if place % BLOCK == 0 { 127.0 } else { value(place) }).collect()
    }

    fn check<K: Kernel>(kernel: K) {
        let (rows, columns) = (16, 96);
        let linear = matrix(rows, columns);
        for count in 1..=6 {
            let vectors: Vec<Vec<f32>> = (0..count).map(|seed| vector(seed, columns)).collect();
            let mut inputs = Inputs::default();
            inputs.set(&vectors.concat());
            let mut outputs = Vec::new();
            linear.apply(kernel, &inputs, &mut outputs);
            let expected: Vec<f32> = vectors
                .iter()
                .flat_map(|vector| {
                    let product = move |row: usize| -> f32 {
                        vector.iter().enumerate().map(|(column, x)| f32::from(weight(row, column)) * x).sum()
                    };
                    (0..rows).map(move |row| row as f32 + product(row))
                })
                .collect();
            for (output, expected) in outputs.iter().zip(&expected) {
                assert!((output - expected).abs() < 0.05, "{output} instead of {expected}");
            }
            assert_eq!(outputs.len(), expected.len());
        }
    }

    #[test]
    fn products_are_those_of_whole_numbers() {
        check(Portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            check(simd);
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let blocks = vec![block(|_| 7); 8];
        let linear = Linear::new(BLOCK, &[&blocks], vec![0.0; 8]).unwrap();
        let mut inputs = Inputs::default();
        inputs.set(&[1.0; BLOCK]);
        let mut outputs = Vec::new();
        linear.apply(Portable, &inputs, &mut outputs);
        assert!((outputs[0] - 224.0).abs() < 0.01, "{outputs:?}");
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            linear.apply(simd, &inputs, &mut outputs);
            assert!((outputs[0] - 224.0).abs() < 0.01, "{outputs:?}");
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let blocks = vec![block(|_| 0); 8];
        assert!(Linear::new(BLOCK, &[&blocks], vec![0.0; 7]).is_none());
        assert!(Linear::new(2 * BLOCK, &[&blocks], vec![0.0; 8]).is_none());
        assert!(Linear::new(BLOCK, &[], Vec::new()).is_none());
    }
}
