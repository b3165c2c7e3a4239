" Drives Vim with ALE as a user would: opens the file, reads the diagnostic, removes its cause by hand, undoes
" that, and applies a code action. What it sees goes to $REPORT as one object.

let s:seen = {'version': string(v:version)}

function! s:Messages() abort
    return map(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.text')
endfunction

" The first diagnostic whose message has $EXPECT, or an empty dictionary.
function! s:Finding() abort
    let l:all = filter(copy(ale#engine#GetLoclist(bufnr(''))), 'stridx(v:val.text, $EXPECT) >= 0')
    return get(l:all, 0, {})
endfunction

function! s:Wait(what, condition) abort
    let l:start = reltime()
    while !a:condition()
        if reltimefloat(reltime(l:start)) > 60
            throw 'waited in vain: ' . a:what . '; ' . string(s:Messages())
        endif
        sleep 50m
    endwhile
endfunction

" What the user answers to the list of actions: the number before the one that has $ACTION.
function! s:Answer(menu) abort
    let l:rows = filter(split(a:menu, "\n"), 'v:val =~# "^\\d\\+) "')
    let s:seen.actions = map(copy(l:rows), 'substitute(v:val, "^\\d\\+) ", "", "")')
    let l:chosen = filter(copy(l:rows), 'stridx(v:val, $ACTION) >= 0')
    return get(l:chosen, 0, '0')
endfunction

function! s:Drive() abort
    execute 'edit' fnameescape($FILE)
    call ale#Queue(0)
    call s:Wait('a finding', {-> !empty(s:Finding())})
    let s:seen.found = s:Messages()
    let s:seen.line = s:Finding().lnum

    " The text is edited and not saved.
    let l:text = getline(1, '$')
    silent %delete _
    call ale#Queue(0)
    call s:Wait('an empty text has no finding', {-> empty(s:Finding())})
    silent undo
    call ale#Queue(0)
    call s:Wait('the finding is back', {-> !empty(s:Finding())})
    if l:text !=# getline(1, '$')
        throw 'undo gives the text back'
    endif

    if !empty($ACTION)
        let l:at = s:Finding()
        call cursor(l:at.lnum, l:at.col)
        runtime autoload/ale/util.vim
        function! ale#util#Input(message, ...) abort
            return s:Answer(a:message)
        endfunction
        ALECodeAction
        call s:Wait('an action: ' . $ACTION, {-> has_key(s:seen, 'actions')})
        if empty(filter(copy(s:seen.actions), 'stridx(v:val, $ACTION) >= 0'))
            throw 'no action has “' . $ACTION . '”: ' . string(s:seen.actions)
        endif
        call s:Wait('the text is edited', {-> getline(1, '$') != l:text})
        call ale#Queue(0)
        call s:Wait('the finding is gone', {-> empty(s:Finding())})
        let s:seen.left = s:Messages()
        let s:seen.text = join(getline(1, '$'), "\n")
    endif
endfunction

try
    call s:Drive()
catch
    let s:seen.problem = v:exception . ' at ' . v:throwpoint
endtry
call writefile([json_encode(s:seen)], $REPORT)
qall!
