//! The protocol's base layer: messages with headers, over any pair of byte streams.
//!
//! In: bytes. Out: `lsp-server`'s messages. A message that can't be parsed or is too long is answered with an
//! error, and reading continues at the next one.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// The longest body in bytes that is not skipped: 64 MiB, some hundred times the largest source.
const LONGEST: u64 = 64 << 20;

/// The longest header line in bytes: 4 KiB.
const LONGEST_LINE: u64 = 4 << 10;

/// How long the end of a session waits for the client to read the message that is being written.
const LAST_MESSAGE: Duration = Duration::from_secs(1);

/// The stream that messages are written to, until it is closed.
pub(super) struct Output<W>(Arc<Mutex<Option<W>>>);

impl<W: Write> Output<W> {
    /// Lets no other message begin, so that the process does not end within one.
    pub(super) fn close(&self) {
        let begin = Instant::now();
        while begin.elapsed() < LAST_MESSAGE {
            match self.0.try_lock() {
                Ok(mut output) => return drop(output.take()),
                Err(TryLockError::Poisoned(_)) => return,
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    fn put(&self, message: &Value) -> io::Result<()> {
        let body = message.to_string();
        let mut output = self.0.lock().map_err(|_| io::Error::other("another thread failed to write"))?;
        let output = output.as_mut().ok_or_else(|| io::Error::other("the session has ended"))?;
        write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        output.flush()
    }
}

/// A connection over these streams. Its threads end with the streams.
pub(super) fn connection<W: Write + Send + 'static>(
    mut input: impl BufRead + Send + 'static,
    output: W,
) -> (Connection, Output<W>) {
    let (server, Connection { sender, receiver }) = Connection::memory();
    let output = Arc::new(Mutex::new(Some(output)));
    let (answers, errors) = (Output(Arc::clone(&output)), Output(Arc::clone(&output)));
    thread::spawn(move || {
        loop {
            match frame(&mut input) {
                Ok(Frame::Message(message)) => {
                    if sender.send(message).is_err() {
                        break;
                    }
                }
                Ok(Frame::Broken(answer)) => {
                    if errors.put(&answer).is_err() {
                        break;
                    }
                }
                Ok(Frame::End) | Err(_) => break,
            }
        }
    });
    thread::spawn(move || {
        for message in receiver {
            let mut value = serde_json::to_value(&message).unwrap_or_default();
            value["jsonrpc"] = json!("2.0");
            if answers.put(&value).is_err() {
                break;
            }
        }
    });
    (server, Output(output))
}

/// The contents of a message's body.
enum Frame {
    Message(Message),
    /// Not a message; the error response.
    Broken(Value),
    End,
}

fn frame(input: &mut impl BufRead) -> io::Result<Frame> {
    let mut length = None;
    let mut fault = None;
    loop {
        let Some(line) = header(input)? else { return Ok(Frame::End) };
        if line.is_empty() {
            match length {
                Some(_) => break,
                // Nothing may stand between messages, but an empty line is harmless.
                None => {
                    if let Some(fault) = fault {
                        return Ok(broken(None, ErrorCode::ParseError, fault));
                    }
                }
            }
        } else if let Some((name, value)) = line.split_once(':') {
            if name.trim().eq_ignore_ascii_case("content-length") {
                match value.trim().parse::<u64>() {
                    Ok(value) => length = Some(value),
                    Err(_) => fault = Some(format!("`{line}` is not a length")),
                }
            }
        } else {
            fault = Some("a line that is not a header".to_string());
        }
    }
    let length = length.unwrap_or_default();
    if length > LONGEST {
        io::copy(&mut input.take(length), &mut io::sink())?;
        let text = format!("a message of {length} bytes; the limit is {LONGEST}");
        return Ok(broken(None, ErrorCode::InvalidRequest, text));
    }
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? < length as usize {
        return Ok(Frame::End);
    }
    Ok(match serde_json::from_slice::<Value>(&body) {
        Err(error) => broken(None, ErrorCode::ParseError, format!("no JSON: {error}")),
        Ok(value) => {
            let id = value.get("id").cloned();
            match serde_json::from_value(value) {
                Ok(message) => Frame::Message(message),
                Err(_) => {
                    broken(id, ErrorCode::InvalidRequest, "neither request, response nor notification".into())
                }
            }
        }
    })
}

/// A header line without its end; `None` at the end of the stream. A line that is too long is cut.
fn header(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_string()))
}

fn broken(id: Option<Value>, code: ErrorCode, message: String) -> Frame {
    let id = id.filter(|id| id.is_number() || id.is_string()).unwrap_or(Value::Null);
    Frame::Broken(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": message}}))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result for each message in the bytes: a method, or an error's code and id.
    fn check(bytes: &[u8], expected: &[&str]) {
        let mut input = bytes;
        let mut found = Vec::new();
        loop {
            match frame(&mut input).unwrap() {
                Frame::End => break,
                Frame::Message(Message::Request(request)) => found.push(request.method),
                Frame::Message(Message::Notification(notification)) => found.push(notification.method),
                Frame::Message(Message::Response(_)) => found.push("response".into()),
                Frame::Broken(answer) => found.push(format!("{} {}", answer["error"]["code"], answer["id"])),
            }
        }
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(bytes));
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn a_broken_message_is_answered_and_the_next_is_read() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"a"}"#);
        check(format!("{}{good}", framed("{]")).as_bytes(), &["-32700 null", "a"]);
        check(format!("{}{good}", framed(r#"{"id": 7}"#)).as_bytes(), &["-32600 7", "a"]);
        check(format!("{}{good}", framed("[1]")).as_bytes(), &["-32600 null", "a"]);
        check(format!("Content-Length: x\r\n\r\n{good}").as_bytes(), &["-32700 null", "a"]);
        check(format!("nonsense\r\n\r\n{good}").as_bytes(), &["-32700 null", "a"]);
        check(format!("content-length:{}{good}", &framed("{}")[15..]).as_bytes(), &["-32600 null", "a"]);
        check(format!("Content-Type: x\r\n{good}").as_bytes(), &["a"]);
        check(format!("{good}Content-Length: 99\r\n\r\n{{").as_bytes(), &["a"]);
    }

    #[test]
    fn a_huge_message_is_skipped() {
        let length = LONGEST + 1;
        let head = format!("Content-Length: {length}\r\n\r\n");
        let next = framed(r#"{"jsonrpc":"2.0","method":"b"}"#);
        let mut input =
            io::BufReader::new(head.as_bytes().chain(io::repeat(b' ').take(length)).chain(next.as_bytes()));
        assert!(matches!(frame(&mut input).unwrap(), Frame::Broken(_)));
        assert!(matches!(frame(&mut input).unwrap(), Frame::Message(Message::Notification(_))));
    }

    #[test]
    fn deep_nesting_is_no_message() {
        let deep = "[".repeat(100_000);
        check(framed(&deep).as_bytes(), &["-32700 null"]);
    }
}
