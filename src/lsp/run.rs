//! The loop of the worker's thread: changes and requests in, published results and answers out.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;

use lsp_server::{ErrorCode, Response};
use rustc_hash::FxHashSet;

use crate::analysis::beside;
use crate::cancel::unless_cancelled;

use super::documents::Kind;
use super::mailbox::{ClientRequest, Mailbox};
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
            self.step(&open, mailbox);
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
            updates = if settled { mailbox.wait() } else { mailbox.take() };
        }
    }

    /// Analyses some units, and answers meanwhile what can be answered from those that are up to date.
    fn step(&mut self, open: &FxHashSet<PathBuf>, mailbox: &Mailbox) {
        let batch = self.session.next_batch(open);
        // What came with the change need not wait for its analysis.
        let goes_on = !batch.is_empty();
        let (at_once, later) = std::mem::take(&mut self.requests)
            .into_iter()
            .partition::<VecDeque<_>, _>(|request| goes_on && self.can_look_up(request));
        self.requests = later.into();
        let at_once = Mutex::new(at_once);
        let under_way = mailbox.analysis();
        let worker = &*self;
        let analyse = || {
            // A panic ends the analysis too.
            let _under_way = under_way;
            worker.session.analysed(&batch, open, &mailbox.cancel, &mailbox.waited_for)
        };
        let work = beside(analyse, || {
            let first = || at_once.lock().expect(NO_PANIC).pop_front();
            let next = || first().or_else(|| mailbox.take_meanwhile(|request| worker.can_look_up(request)));
            while let Some(request) = next() {
                let response = safe_response(&request, mailbox, || worker.looked_up(&request, mailbox));
                mailbox.answered(&request.id);
                worker.client.send(response);
            }
        });
        // There may have been no thread for them.
        self.requests.extend(at_once.into_inner().expect(NO_PANIC));
        self.session.take_in(batch, work);
    }

    /// Answers the requests that can be answered by now: what came of the newest text was published.
    fn answer_requests(&mut self, published_scope: PublishedScope, mailbox: &Mailbox) {
        for request in std::mem::take(&mut self.requests) {
            let is_ready = match request.method.as_str() {
                "workspace/diagnostic" => published_scope == PublishedScope::All,
                _ => published_scope != PublishedScope::Nothing,
            };
            if is_ready || mailbox.is_cancelled(&request.id) {
                let response = safe_response(&request, mailbox, || self.response(&request, mailbox));
                mailbox.answered(&request.id);
                self.client.send(response);
            } else {
                self.requests.push(request);
            }
        }
    }
}

/// The answer to a request. A panic costs only this answer.
fn safe_response(request: &ClientRequest, mailbox: &Mailbox, answer: impl FnOnce() -> Response) -> Response {
    let refused = |code: ErrorCode, why: &str| Response::new_err(request.id.clone(), code as i32, why.into());
    match catch_unwind(AssertUnwindSafe(|| unless_cancelled(&mailbox.cancel, answer))) {
        Ok(Some(answer)) => answer,
        Ok(None) => refused(ErrorCode::ContentModified, "the text has changed since"),
        Err(_) => refused(ErrorCode::InternalError, DEFECT),
    }
}
