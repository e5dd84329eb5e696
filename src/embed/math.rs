//! The functions between the matrices, written so that the compiler can compute eight numbers at a time.

#[inline(always)]
pub fn softmax(values: &mut [f32]) {
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
    for value in values.iter_mut() {
        *value = exp(*value - highest);
    }
    let inverse = 1.0 / sum(values, |value| value);
    for value in values {
        *value *= inverse;
    }
}

#[inline(always)]
pub fn add(to: &mut [f32], what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what;
    }
}

#[inline(always)]
pub fn add_scaled(to: &mut [f32], what: &[f32], factor: f32) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += what * factor;
    }
}

/// The sum over `values`, in eight lanes so that it can be computed side by side.
#[inline(always)]
pub fn sum(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (eights, rest) = values.as_chunks::<8>();
    let mut lanes = [0f32; 8];
    for eight in eights {
        for (lane, value) in lanes.iter_mut().zip(eight) {
            *lane += of(*value);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|value| of(*value)).sum::<f32>()
}

/// `x · Φ(x)` (Hendrycks and Gimpel, 2016).
#[inline(always)]
pub fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26; off by 1.5e-7 at most.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let polynomial =
        t * (0.254_829_6 + t * (-0.284_496_72 + t * (1.421_413_8 + t * (-1.453_152_1 + t * 1.061_405_4))));
    (1.0 - polynomial * exp(-size * size)).copysign(x)
}

/// `e^x` for `x` up to 0, 0 below -87; off by a few parts in 10^7. Without branches, so that eight
/// can be computed side by side.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = if x < -87.0 { -87.0 } else { x };
    // 1.5 · 2^23 leaves no room for a fraction: the sum is rounded to a whole number.
    let shifted = x * std::f32::consts::LOG2_E + 12_582_912.0;
    let whole = shifted - 12_582_912.0;
    // ln 2 in two parts, so that little is lost.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    series * f32::from_bits(((shifted.to_bits() << 23) as i32 + 0x3F80_0000) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials() {
        for x in [0.0f32, -1e-4, -0.5, -1.0, -3.3, -20.0, -80.0] {
            let expected = f64::from(x).exp();
            assert!((f64::from(exp(x)) / expected - 1.0).abs() < 1e-6, "{x}: {}", exp(x));
        }
        assert!(exp(-1e9) < 1e-37);
    }

    #[test]
    fn gelu_at_known_points() {
        // x · Φ(x), from tables of the normal distribution.
        for (x, expected) in
            [(0.0f32, 0.0), (1.0, 0.841_344_7), (-1.0, -0.158_655_3), (3.0, 2.995_950_3), (-6.0, 0.0)]
        {
            assert!((gelu(x) - expected).abs() < 1e-6, "{x}: {}", gelu(x));
        }
    }

    #[test]
    fn softmax_is_a_share() {
        let mut values = [1.0, 2.0, 3.0, -1000.0];
        softmax(&mut values);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((values[2] / values[1] - std::f32::consts::E).abs() < 1e-5);
        assert!(values[3] < 1e-30);
    }

    #[test]
    fn sums_of_any_length() {
        let values: Vec<f32> = (1..=19u8).map(f32::from).collect();
        assert_eq!(sum(&values, |value| value), 190.0);
        assert_eq!(sum(&[], |value| value), 0.0);
    }
}
