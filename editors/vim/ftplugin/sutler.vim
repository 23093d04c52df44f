if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:# expandtab shiftwidth=2 softtabstop=2
setlocal autoindent indentkeys=0},!^F,o,O indentexpr=SutlerIndent()
" Items begin in the first column: what is indented folds below its item.
setlocal foldmethod=expr foldexpr=getline(v:lnum)=~'^\\s\\+\\S\\\|^}'?1:0 foldlevel=99
let b:undo_ftplugin = 'setlocal cms< com< et< sw< sts< ai< indk< inde< fdm< fde< fdl<'

function! SutlerIndent() abort
  let before = prevnonblank(v:lnum - 1)
  let opens = before > 0 && substitute(getline(before), '"[^"]*"\|#.*', '', 'g') =~# '{\s*$'
  let closes = getline(v:lnum) =~# '^\s*}'
  return before == 0 ? 0 : indent(before) + (opens ? shiftwidth() : 0) - (closes ? shiftwidth() : 0)
endfunction
