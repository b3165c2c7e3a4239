//! How nvcc splits option values and option files into words. Measured on 13.0; `tests/nvcc_options.rs` compares this
//! file with the recorded results.

/// Splits at commas outside of double quotes, as nvcc 13.0 does; parentheses have no effect. `\,`, `\"` and `\\`
/// stand for the character after the backslash.
pub(super) fn split_commas(value: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for c in value.chars() {
        let part = parts.last_mut().expect("it starts with one part");
        match c {
            _ if escaped => {
                if !matches!(c, ',' | '"' | '\\') {
                    part.push('\\');
                }
                part.push(c);
            }
            '\\' => {}
            ',' if !quoted => parts.push(String::new()),
            _ => {
                quoted ^= c == '"';
                part.push(c);
            }
        }
        escaped = c == '\\' && !escaped;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Splits an option file as nvcc 13.0 does: at blanks outside of double quotes. Quotes and backslashes are removed.
pub(super) fn split_option_file(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '\\' => {}
            _ if c.is_whitespace() && !quoted => words.push(String::new()),
            _ => words.last_mut().expect("it starts with one").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
