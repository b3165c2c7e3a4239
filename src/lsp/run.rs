//! The loop of the worker's thread: changes and requests in, published results and answers out.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;

use lsp_server::{ErrorCode, Response};
use rustc_hash::FxHashSet;

use crate::analysis::beside;
use crate::cancel::unless_cancelled;

use super::answers::is_looked_up;
use super::documents::Kind;
use super::mailbox::{ClientRequest, Mailbox, Meanwhile};
use super::worker::{PublishedScope, Worker};

/// The error message for a panic.
const DEFECT: &str = "the request failed because of a bug in cuda-arch-lint; please report it";

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Worker {
    /// Runs until the mailbox says stop.
    pub(super) fn run(mut self, mailbox: &Mailbox) {
        self.discover();
        let mut updates = mailbox.take();
        let mut published_scope = PublishedScope::Nothing;
        while !updates.stop {
            if self.apply(updates) {
                published_scope = PublishedScope::Nothing;
            }
            // The scan of the workspace may have been interrupted for these.
            self.answer_requests(published_scope, mailbox);
            let open: FxHashSet<PathBuf> = self.open.keys().cloned().collect();
            if self.step(&open, mailbox) {
                published_scope = PublishedScope::Nothing;
            }
            let settled = self.session.settled() && !self.add_standalone_units(Kind::Header);
            // If changes are waiting, the results would be stale as soon as they were published.
            let due = match published_scope {
                _ if mailbox.has_changes() => None,
                PublishedScope::Nothing | PublishedScope::Open if settled => Some(PublishedScope::All),
                PublishedScope::Nothing if self.session.answers(&open) => Some(PublishedScope::Open),
                _ => None,
            };
            if let Some(due) = due {
                self.publish(due);
                published_scope = due;
            }
            self.show_progress(settled);
            self.answer_requests(published_scope, mailbox);
            if std::mem::take(&mut self.stale) {
                self.publish(published_scope);
            }
            if settled && self.open.is_empty() {
                self.session.rest();
            }
            updates = if settled { mailbox.wait() } else { mailbox.take() };
        }
    }

    /// Analyses some units. Meanwhile documents are edited, since the analysis has the texts that it began with, and what
    /// one unit can tell of the newest text is answered. Returns whether a document was edited.
    fn step(&mut self, open: &FxHashSet<PathBuf>, mailbox: &Mailbox) -> bool {
        let batch = self.session.next_batch(open);
        // What came with the change need not wait for its analysis.
        let goes_on = !batch.is_empty();
        let (at_once, later) = std::mem::take(&mut self.requests)
            .into_iter()
            .partition::<VecDeque<_>, _>(|request| goes_on && self.can_look_up(request));
        self.requests = later.into();
        let at_once = Mutex::new(at_once);
        let under_way = mailbox.analysis();
        let analyse = || {
            // A panic ends the analysis too.
            let under_way = under_way;
            batch.work(&under_way.flags.changed, &under_way.flags.waited_for)
        };
        let mut edited = false;
        let work = beside(analyse, || {
            let first = || at_once.lock().expect(NO_PANIC).pop_front();
            let mut given_up = Vec::new();
            loop {
                let next =
                    || mailbox.take_meanwhile(|one| self.is_edit(one), |request| self.can_look_up(request));
                match first().map(Meanwhile::Request).or_else(next) {
                    Some(Meanwhile::Edits(documents)) => {
                        edited = true;
                        documents.into_iter().for_each(|document| self.edit(document));
                        at_once.lock().expect(NO_PANIC).extend(given_up.drain(..));
                    }
                    Some(Meanwhile::Request(request)) => {
                        match safe_response(&request, mailbox, || self.looked_up(&request, mailbox)) {
                            Some(response) => {
                                mailbox.answered(&request.id);
                                self.client.send(response);
                            }
                            None => given_up.push(request),
                        }
                    }
                    None => break,
                }
            }
            self.requests.extend(given_up);
        });
        // There may have been no thread for them.
        self.requests.extend(at_once.into_inner().expect(NO_PANIC));
        self.session.take_in(batch, work);
        edited
    }

    /// Answers the requests that can be answered by now: what came of the newest text was published.
    fn answer_requests(&mut self, published_scope: PublishedScope, mailbox: &Mailbox) {
        for request in std::mem::take(&mut self.requests) {
            let is_ready = match request.method.as_str() {
                "workspace/diagnostic" => published_scope == PublishedScope::All,
                _ => published_scope != PublishedScope::Nothing,
            };
            let response = (is_ready || mailbox.is_cancelled(&request.id))
                .then(|| safe_response(&request, mailbox, || self.response(&request, mailbox)));
            match response.flatten() {
                Some(response) => {
                    mailbox.answered(&request.id);
                    self.client.send(response);
                }
                None => self.requests.push(request),
            }
        }
    }
}

/// The answer to a request; `None` for what is looked up when a change comes meanwhile: it is asked again once that is applied, in this
/// step or before the next, since other documents or the settings may have changed. A panic costs only this answer.
fn safe_response(
    request: &ClientRequest,
    mailbox: &Mailbox,
    answer: impl FnOnce() -> Response,
) -> Option<Response> {
    let refused = |code: ErrorCode, why: &str| Response::new_err(request.id.clone(), code as i32, why.into());
    match catch_unwind(AssertUnwindSafe(|| unless_cancelled(&mailbox.cancel, answer))) {
        Ok(Some(answer)) => Some(answer),
        Ok(None) if is_looked_up(request) => None,
        Ok(None) => Some(refused(ErrorCode::ContentModified, "the text has changed since")),
        Err(_) => Some(refused(ErrorCode::InternalError, DEFECT)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::cancel::unwind_if_cancelled;

    #[test]
    fn what_is_looked_up_is_asked_again_when_a_change_comes() {
        let mailbox = Mailbox::default();
        let answered = |method: &str| {
            let request =
                ClientRequest { id: 1.into(), method: method.into(), params: Value::Null, about: None };
            safe_response(&request, &mailbox, || {
                unwind_if_cancelled();
                Response::new_ok(request.id.clone(), 7)
            })
        };
        let code =
            |answer: Option<Response>| answer.map(|one| one.response_result.map_err(|error| error.code));
        let is_answered = Some(Ok(Value::from(7)));
        for method in ["textDocument/hover", "textDocument/codeLens"] {
            assert_eq!(code(answered(method)), is_answered);
        }
        mailbox.cancel.set(true);
        assert_eq!(code(answered("textDocument/hover")), None);
        let refused = Some(Err(ErrorCode::ContentModified as i32));
        assert_eq!(code(answered("textDocument/codeLens")), refused);
    }
}
