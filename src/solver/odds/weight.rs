//! Numbers of arrangements: `f64` where it is wide enough, [`Wide`] elsewhere.
//!
//! n unknown cells have at most 2^n arrangements, so up to 1,000 of them plain `f64` holds every count
//! without scaling, and none that is not 0 becomes 0. Beyond that the exponent is kept apart.

/// A number of arrangements, rounded to 53 bits. It is 0 exactly when there are none.
pub(in crate::solver) trait Weight: Copy {
    const ZERO: Self;

    /// `value` times 2^`exponent`.
    fn new(value: f64, exponent: i64) -> Self;
    /// The same number.
    fn of(wide: Wide) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn is_zero(self) -> bool;
    /// The quotient of two numbers that are not too far apart for an `f64`.
    fn over(self, other: Self) -> f64;
    fn wide(self) -> Wide;
}

impl Weight for f64 {
    const ZERO: f64 = 0.0;

    fn new(value: f64, exponent: i64) -> f64 {
        if exponent == 0 { value } else { Wide::new(value, exponent).to_f64() }
    }

    fn of(wide: Wide) -> f64 {
        wide.to_f64()
    }

    fn plus(self, other: f64) -> f64 {
        self + other
    }

    fn times(self, other: f64) -> f64 {
        self * other
    }

    fn is_zero(self) -> bool {
        self == 0.0
    }

    fn over(self, other: f64) -> f64 {
        self / other
    }

    fn wide(self) -> Wide {
        Wide::new(self, 0)
    }
}

/// A number that is not negative, with an exponent that does not overflow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solver) struct Wide {
    /// From 1 to less than 2, or 0.
    mantissa: f64,
    exponent: i64,
}

const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const BIAS: i64 = f64::MAX_EXP as i64 - 1;
const MANTISSA: u64 = (1 << MANTISSA_BITS) - 1;

/// 2^`bits`; 0 when it is too small for an `f64` with all its digits, infinite when it is too large.
fn power_of_two(bits: i64) -> f64 {
    match bits + BIAS {
        ..=0 => 0.0,
        biased if biased > 2 * BIAS => f64::INFINITY,
        biased => f64::from_bits((biased as u64) << MANTISSA_BITS),
    }
}

impl Wide {
    /// The number as an `f64`: 0 or infinite when it is out of range.
    pub fn to_f64(self) -> f64 {
        self.mantissa * power_of_two(self.exponent)
    }

    /// The quotient of two numbers, however far apart.
    pub fn divided_by(self, other: Wide) -> Wide {
        Wide::new(self.mantissa / other.mantissa, self.exponent - other.exponent)
    }

    /// About the logarithm to the base 2, by less than 0.1: exact for powers of 2, straight between them, so
    /// the same on every platform. That of 0 is 0.
    pub fn rough_log2(self) -> f64 {
        if self.is_zero() { 0.0 } else { self.exponent as f64 + self.mantissa - 1.0 }
    }

    /// The natural logarithm; minus infinity for 0.
    pub fn ln(self) -> f64 {
        self.mantissa.ln() + self.exponent as f64 * std::f64::consts::LN_2
    }
}

impl Weight for Wide {
    const ZERO: Wide = Wide { mantissa: 0.0, exponent: 0 };

    fn new(value: f64, exponent: i64) -> Wide {
        let bits = value.to_bits();
        match (bits >> MANTISSA_BITS) as i64 {
            // Numbers below 2^-1022 do not come up; they would be no numbers of arrangements.
            0 => Wide::ZERO,
            biased => Wide {
                mantissa: f64::from_bits(bits & MANTISSA | (BIAS as u64) << MANTISSA_BITS),
                exponent: exponent + biased - BIAS,
            },
        }
    }

    fn of(wide: Wide) -> Wide {
        wide
    }

    fn plus(self, other: Wide) -> Wide {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other } else { self };
        }
        let (large, small) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let small_part = small.mantissa * power_of_two(small.exponent - large.exponent);
        Wide::new(large.mantissa + small_part, large.exponent)
    }

    fn times(self, other: Wide) -> Wide {
        Wide::new(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn over(self, other: Wide) -> f64 {
        self.mantissa / other.mantissa * power_of_two(self.exponent - other.exponent)
    }

    fn wide(self) -> Wide {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_calculate_like_plain_ones() {
        let values = [0.0, 1.0, 0.75, 3.0, 1e-200, 1e150, 12345.678, 2f64.powi(900)];
        for a in values {
            assert_eq!(a.wide().to_f64(), a);
            for b in values {
                assert_eq!(a.wide().plus(b.wide()).to_f64(), a + b);
                let product = a * b;
                if product == 0.0 || product.is_normal() {
                    assert_eq!(a.wide().times(b.wide()).to_f64(), product, "{a} * {b}");
                }
                if b > 0.0 && (a / b).is_normal() {
                    assert_eq!(a.wide().over(b.wide()), a / b);
                }
            }
        }
    }

    #[test]
    fn wide_numbers_do_not_overflow_or_vanish() {
        let huge = (0..10).fold(1.0.wide(), |product, _| product.times(1e300.wide()));
        assert!((huge.ln() - 3000.0 * 10f64.ln()).abs() < 1e-9);
        assert_eq!(huge.plus(1.0.wide()), huge);
        let tiny = (0..10).fold(1.0.wide(), |product, _| product.times(1e-300.wide()));
        assert!(!tiny.is_zero());
        assert_eq!(tiny.plus(tiny).over(tiny), 2.0);
    }
}
