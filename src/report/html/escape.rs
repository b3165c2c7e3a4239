//! Escapes text for HTML.

use crate::report::excerpt::harmless;

/// Escapes a text for elements and quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let text = harmless(text);
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

/// Escapes a text and puts the parts between backquotes into `<code>`.
pub(super) fn code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut html = String::new();
    for (index, part) in parts.iter().enumerate() {
        match index % 2 == 1 && index + 1 < parts.len() {
            true => html.push_str(&format!("<code>{}</code>", escaped(part))),
            false => html.push_str(&escaped(part)),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("<b a='\"'>&\u{1b}"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;?");
        assert_eq!(code("`a<b>` is `c"), "<code>a&lt;b&gt;</code> is c");
    }
}
