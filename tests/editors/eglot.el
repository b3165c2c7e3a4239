;;; Drives Emacs as a user would: opens the file, reads the diagnostic, removes its cause by hand, undoes that,
;;; and applies a code action.  What it sees goes to $REPORT as one object.  -*- lexical-binding: t -*-

(require 'cl-lib)
(require 'json)
(require 'flymake)

;; Where several editors are driven at once, an answer may take longer than a user would wait.
(require 'jsonrpc)
(setq jsonrpc-default-request-timeout 60)

(defvar seen nil "What was seen so far, as an association list.")

(defun say (key value) (push (cons key value) seen))

(defun messages ()
  (mapcar (lambda (it) (substring-no-properties (flymake-diagnostic-text it))) (flymake-diagnostics)))

(defun finding ()
  "The first diagnostic whose text has $EXPECT."
  (cl-find-if (lambda (it) (string-search (getenv "EXPECT") (flymake-diagnostic-text it)))
              (flymake-diagnostics)))

(defun settle (what condition)
  "Waits, as an idle Emacs does, until CONDITION holds."
  (let ((end (+ (float-time) 60)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (error "Waited in vain: %s; %S" what (messages)))
      ;; Commands end with this hook; Eglot connects in it.
      (run-hooks 'post-command-hook)
      (accept-process-output nil 0.05)
      (sit-for 0.05))))

(defun drive ()
  (find-file (getenv "FILE"))
  (say 'version emacs-version)
  (settle "a server" (lambda () (and (fboundp 'eglot-managed-p) (eglot-managed-p))))
  (settle "a finding" #'finding)
  (say 'found (vconcat (messages)))
  (say 'line (line-number-at-pos (flymake-diagnostic-beg (finding))))

  ;; The text is edited and not saved.
  (let ((text (buffer-string)))
    (buffer-enable-undo)
    (undo-boundary)
    (erase-buffer)
    (undo-boundary)
    (eglot--signal-textDocument/didChange)
    (settle "an empty text has no finding" (lambda () (not (finding))))
    (undo)
    (eglot--signal-textDocument/didChange)
    (settle "the finding is back" #'finding)
    (unless (string= text (buffer-string)) (error "undo gives the text back")))

  (let ((action (getenv "ACTION")))
    (unless (string= action "")
      (goto-char (flymake-diagnostic-beg (finding)))
      ;; The user chooses from the list.
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (_prompt choices &rest _)
                   (let ((titles (mapcar (lambda (it) (if (consp it) (car it) it)) choices)))
                     (say 'actions (vconcat titles))
                     (or (cl-find-if (lambda (title) (string-search action title)) titles)
                         (error "No action has “%s”: %S" action titles)))))
                ((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
        ;; A command from the keyboard asks in the echo area, one from the mouse in a menu.
        (let ((last-nonmenu-event ?\r))
          (call-interactively #'eglot-code-actions)))
      (eglot--signal-textDocument/didChange)
      (settle "the finding is gone" (lambda () (not (finding))))
      (say 'left (vconcat (messages)))
      (say 'text (buffer-substring-no-properties (point-min) (point-max))))))

(let ((code 0))
  (condition-case problem
      (drive)
    (error (say 'problem (error-message-string problem))
           (setq code 1)))
  (with-temp-file (getenv "REPORT") (insert (json-encode seen)))
  (ignore-errors (set-buffer-modified-p nil))
  (ignore-errors (eglot-shutdown-all))
  (kill-emacs code))
