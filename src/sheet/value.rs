//! What a cell holds, as the words of the language would say it.

/// A cell of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its row, from 1.
    pub row: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What it holds.
    pub value: Value,
    /// Its background as `0xRRGGBB`, where a page is written.
    pub colour: Option<u32>,
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number, by its decimal digits.
    Number(String),
    /// Something that the language has no word for: how it is shown, and what it is.
    Other(String, &'static str),
}

impl Value {
    /// The text that a reader sees.
    #[must_use]
    pub fn shown(&self) -> &str {
        match self {
            Value::Text(text) | Value::Number(text) | Value::Other(text, _) => text,
        }
    }

    /// A number from its digits: `3.0`, `-2.5E-1`. What is no such number is a text.
    #[must_use]
    pub fn number(digits: &str) -> Value {
        match decimal(digits) {
            Some(plain) => Value::Number(plain),
            None => Value::Text(digits.to_owned()),
        }
    }

    /// A value that is written: a whole number as a number, so that a spreadsheet program counts
    /// with it, and all else as text. Labels such as `0201` keep their digits.
    #[must_use]
    pub fn written(text: &str) -> Value {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain =
            digits.len() <= 15 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if plain && (digits == "0" && text == "0" || !digits.starts_with('0')) {
            Value::Number(text.to_owned())
        } else {
            Value::Text(text.to_owned())
        }
    }

    /// What the cell says in the language: a decimal as an exact fraction.
    ///
    /// # Errors
    ///
    /// What the cell is instead, as the end of a sentence.
    pub fn said(&self) -> Result<String, &'static str> {
        match self {
            Value::Other(_, what) => Err(what),
            Value::Text(text) if text.trim().contains(['\n', '\r', '\t']) => {
                Err("is text of several lines")
            }
            Value::Text(text) => Ok(text.trim().to_owned()),
            Value::Number(digits) => fraction(digits).ok_or("is a number with too many digits"),
        }
    }
}

/// The digits of a number without an exponent and without zeros that say nothing.
fn decimal(text: &str) -> Option<String> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (rest, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty()
        || !digits(whole)
        || !digits(part)
        || mantissa.ends_with('.')
        || exponent.abs() > 400
    {
        return None;
    }
    let all = format!("{whole}{part}");
    // Where the point stands among all digits.
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let (whole, part) = if point <= 0 {
        let zeros = "0".repeat(usize::try_from(-point).ok()?);
        (String::new(), zeros + all.as_str())
    } else {
        let point = usize::try_from(point).ok()?;
        let zeros = "0".repeat(point.saturating_sub(all.len()));
        let at = point.min(all.len());
        let (front, back) = all.split_at_checked(at)?;
        (format!("{front}{zeros}"), back.to_owned())
    };
    let whole = whole.trim_start_matches('0');
    let part = part.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let sign = if negative && (whole != "0" || !part.is_empty()) { "-" } else { "" };
    let point = if part.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{part}"))
}

/// Decimals of this many places are what somebody wrote; a third in a cell has more.
const MOST_PLACES: usize = 6;

/// A decimal as the language writes it: `2.5` is `5/2`.
fn fraction(digits: &str) -> Option<String> {
    let Some((whole, part)) = digits.split_once('.') else { return Some(digits.to_owned()) };
    if part.len() > MOST_PLACES {
        return None;
    }
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |rest| ("-", rest));
    let top: u64 = format!("{whole}{part}").parse().ok()?;
    let bottom = 10_u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let (mut a, mut b) = (top, bottom);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(format!("{sign}{}/{}", top / a.max(1), bottom / a.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        let said = |digits: &str| Value::number(digits).said().map_err(str::to_owned);
        let all = [
            ("3", "3"),
            ("3.0", "3"),
            ("-3", "-3"),
            ("0.5", "1/2"),
            ("-2.5E-1", "-1/4"),
            ("1E3", "1000"),
            ("1.25E1", "25/2"),
            ("007", "7"),
            ("-0", "0"),
            ("0.1", "1/10"),
            ("12345678901234567890", "12345678901234567890"),
        ];
        for (digits, expected) in all {
            assert_eq!(said(digits).as_deref(), Ok(expected), "{digits}");
        }
        assert!(said("0.3333333333333333").is_err());
        for text in
            ["", "1.", ".5", "1e", "inf", "NaN", "1,5", "0x10", "1_000", "--1", "1E999999999"]
        {
            assert_eq!(Value::number(text), Value::Text(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_written_number_is_read_as_it_was() {
        for text in ["0", "7", "-12", "0201", "1/2", "-0", "plain", "123456789012345678", "", "00"]
        {
            let said = Value::written(text).said();
            assert_eq!(said.as_deref(), Ok(text));
        }
        assert_eq!(Value::written("0201"), Value::Text("0201".to_owned()));
        assert_eq!(Value::written("-12"), Value::Number("-12".to_owned()));
    }

    #[test]
    fn what_has_no_word_is_refused() {
        assert!(Value::Other("TRUE".to_owned(), "is a truth").said().is_err());
        assert!(Value::Text("a\nb".to_owned()).said().is_err());
        assert_eq!(Value::Text(" a b \n".to_owned()).said().as_deref(), Ok("a b"));
    }
}
