" Sutler, a rules language for wargame designers. Words that mean something in one slot only are matched there, so that
" an attribute may be called by them.
if exists('b:current_syntax')
  finish
endif
syntax case match

" Words of conditions and amounts, wherever they stand.
syntax keyword sutlerReserved adjacent and any at between beyond by chance count else for from gives greater here
syntax keyword sutlerReserved highest in is it least less lesser lowest more most no not now of only or otherwise
syntax keyword sutlerReserved over per rounded sum than the then to until when where with within

" The word of a line.
syntax match sutlerLine /^\s\+\zs\%(called\|judged\|lasts\|counts\|always\|never\|source\|relay\|leg\|through\|stopping\|into\|cost\)\>/
syntax match sutlerLine /^\s\+\zs\%(kept\|row\|down\|across\|roll\|retry\|judge\|do\|may\|must\|reads\|script\|asks\|readings\)\>/
syntax match sutlerLine /^\s\+\zs\%(default\|has\|joins\|base\|prefer\|left\|space\|link\|line\|grid\|legend\|table\|put\|given\)\>/
syntax match sutlerLine /^\s\+\zs\%(setup\|on\|ruling\|option\|dice\|order\|run\|expect\)\>/

" Lines behind `but`: the word of a change, and that of the line which it calls or adds.
syntax match sutlerLine /^\s\+\zs\%(without\|before\|after\)\ze\s\+\%(was\>\)\@!/
syntax match sutlerLine /\%(^\s\+\%(without\|before\|after\)\s\+\%(.*\<as\s\+\)\?\)\@<=\%(called\|judged\|lasts\|counts\|always\|never\|source\|relay\|leg\|through\|stopping\|into\|cost\|kept\|row\|down\|across\|roll\|retry\)\>/
syntax match sutlerLine /\%(^\s\+\%(without\|before\|after\)\s\+\%(.*\<as\s\+\)\?\)\@<=\%(judge\|do\|may\|must\|asks\|readings\|default\|has\|joins\|base\|prefer\|left\|space\|link\|line\|grid\|legend\|table\|put\|given\)\>/
syntax match sutlerLine /\%(^\s\+\%(before\|after\)\s.*\)\@<=\<as\>/

" Words of one slot.
syntax match sutlerSlot /\<one\ze\s\+of\>/
syntax match sutlerSlot /\%(^kind\s.*\<is\s\+\w\+\s\+\)\@<=one\s\+way\>/
syntax match sutlerSlot /\%(^kind\s.*\<to\s\+any\s\+\)\@<=other\>/
syntax match sutlerSlot /\%(^kind\s.*\<with\s\+the\s\+\)\@<=same\>/
syntax match sutlerSlot /\<yes\ze\s\+or\s\+no\>/
syntax match sutlerSlot /\<would\s\+be\>/
syntax match sutlerSlot /\%(\<by\s\+\)\@<=\%(first\|only\|all\)\s\+match\%(es\)\?\>/
syntax match sutlerSlot /\%(\<by\s\+only\s\+\)\@<=match\>/
syntax match sutlerSlot /\%(\<given\s\+\)\@<=\%(ruling\|option\)\ze\s\+\w\+\s*\%(|\|$\)/
syntax match sutlerSlot /\%(\<by\s\+sum\s\+of\s\+\)\@<=matches\>/
syntax match sutlerSlot /\%(\<of\s\+\)\@<=each\s\+side\>/
syntax match sutlerSlot /\%(\<\d\+\s\+\)\@<=times\>/
syntax match sutlerSlot /\%(\<\%(at\|until\|run\)\s\+\)\@<=\%(start\|end\)\ze\s\+of\>/
syntax match sutlerSlot /\%(\%(^\|\<as\)\s\+has\s\+\w\+\s\+\)\@<=\%(on\|an\|a\|maybe\s\+an\?\)\ze\s/
syntax match sutlerSlot /\%(^given\s.*\)\@<=\<maybe\s\+an\?\ze\s/
syntax match sutlerSlot /\%(\%(^\|\<as\)\s\+leg\s\+\w\+\s\+\%(as\s\+\w\+\s\+\%(of\s\+\w\+\s\+\)\?\)\?\)\@<=\%(optional\|instead\)\>/
syntax match sutlerSlot /\%(\%(^\|\<as\)\s\+leg\s\+\w\+\s\+\)\@<=as\>/
syntax match sutlerSlot /\%(^sides\s.*\)\@<=\<against\>/
syntax match sutlerSlot /\%(^clock\s.*\)\@<=\<has\>/
syntax match sutlerSlot /\%(^clock\s\+\w\+\s\+\)\@<=on\>/
syntax match sutlerSlot /\%(^phase\s\+\w\+\s\+\)\@<=once\>/
syntax match sutlerSlot /\<but\ze\s\+not\>/
syntax match sutlerSlot /\<link\ze\s\+\w\+\s\+\%(hex\s\+\)\?\w\+\s\+to\>/
syntax match sutlerSlot /\%("\s\+\)\@<=prefix\>/
syntax match sutlerSlot /\%(^ruleset\s.*\)\@<=\<extends\>/
syntax match sutlerSlot /\%(^ruleset\s.*\)\@<=\<hash\ze\s\+"/
syntax match sutlerSlot /\%(^ruleset\s.*\)\@<=\<requires\s\+sutler\>/
syntax match sutlerSlot /\%(^ruleset\s.*\<with\s\+\)\@<=\%(cases\|scripts\)\>/
syntax match sutlerSlot /\%("\s\+\)\@<=default\s\+\%(on\|off\)\>/
syntax match sutlerSlot /\%(^\s\+option\s\+\w\+\s\+is\s\+\)\@<=\%(on\|off\)\>/
syntax match sutlerSlot /\%(^setup\s\+\w\+\s\+\)\@<=on\>/
syntax match sutlerSlot /\%(^die\s\+\w\+\s\+\)\@<=shows\>/
syntax match sutlerSlot /\%(^mistake\s.*"\s\+\)\@<=expects\>/
syntax match sutlerSlot /\%(\%(^\|\<as\)\s\+roll\s\+\w\+\s\+\)\@<=once\>/
syntax match sutlerSlot /\%(\%(^\|\<as\)\s\+retry\s.*\)\@<=\<spending\>/
syntax match sutlerSlot /\%(^\s\+from\s\+"[^"]*"\s\+\)\@<=sheet\ze\s\+"/
syntax match sutlerSlot /\<stopping\ze\s\+in\>/
syntax match sutlerSlot /\<bent\ze\s\+when\>/
syntax match sutlerSlot /\%(^define\s.*\)\@<=\<never\ze\s*=/
syntax match sutlerSlot /\<along\ze\s*(/
syntax match sutlerSlot /\<facing\ze\s\+\%((\|\d\|\w\)/
syntax match sutlerSlot /\<off\s\+table\>/
syntax match sutlerSlot /\<short\ze\s\+of\s\+contact\>/
syntax match sutlerSlot /\%(\<short\s\+of\s\+\)\@<=contact\>/
syntax match sutlerSlot /\<if\s\+none\>/
syntax match sutlerSlot /\%(^\s\+no\s\+\)\@<=junction\ze\s\+of\>/
syntax match sutlerSlot /\<flat\s\+\%(odd\|even\)\s\+columns\s\+lower\>/
syntax match sutlerSlot /\<pointy\s\+\%(odd\|even\)\s\+rows\s\+right\>/
syntax match sutlerSlot /\%(^\s\+legend\s\+"[^"]*"\s\+\)\@<=outside\>/
syntax match sutlerSlot /\%(|\s*\)\@<=\%(given\|expect\|run\|dice\)\ze\s*\%(|\|$\|\w\)/
syntax match sutlerSlot /\%(^\s\+row\s\+\||\s*\)\@<=same\>/
syntax match sutlerSlot /\%(\%(^\|\<as\|\<without\|\<before\|\<after\)\s\+\%(do\|may\|must\)\s\+\)\@<=\%(set\|make\|raise\|lower\|mark\|clear\|remove\|move\|follow\|advance\|swap\|conform\)\>/
syntax match sutlerSlot /\%(\%(^\|\<as\|\<without\|\<before\|\<after\)\s\+\%(do\|may\|must\)\s\+\)\@<=\%(face\%(\s\+about\)\?\|fall\s\+back\|break\s\+off\|wheel\s\+\%(left\|right\)\)\>/
syntax match sutlerSlot /\%(\<fall\s\+back\s\+to\s\+\)\@<=gap\>/
syntax match sutlerSlot /\%(^\s\+expect\s.*\)\@<=\<\%(may\|must\)\%(\s\+not\)\?\s\+\%(follow\|mark\|clear\|move\|choose\|remove\|advance\|fall\s\+back\|swap\|conform\|face\|break\s\+off\|wheel\)\>/
syntax match sutlerSlot /\%(^\s\+order\s.*\)\@<=\<\%(follow\|mark\|clear\|set\|raise\|lower\|move\|choose\|remove\|advance\|fall\s\+back\|swap\|conform\|face\|break\s\+off\|wheel\)\>/
syntax match sutlerSlot /\%(^override\s\+\)\@<=\%(row\|cell\|source\|relay\|through\|stopping\|into\|cost\|clause\|section\|kind\|map\|setup\|define\|choice\|pair\|table\|trace\|test\|phase\|hook\|ruling\|option\|track\|exception\)\>/
syntax match sutlerSlot /\%(^\%(override\|\s\).*\)\@<=\<was\>/
syntax match sutlerSlot /\%(^remove\s\+\)\@<=\%(row\|source\|relay\|clause\|case\|setup\|exception\|define\|choice\|pair\|table\|trace\|test\|phase\|hook\|ruling\|option\|track\|mark\)\>/
syntax match sutlerSlot /\%(^remove\s\+clause\s.*\<with\s\+\)\@<=its\s\+lines\>/
syntax match sutlerSlot /\%(^\%(override\s\+\)\?exception\s\+\w\+\s\+to\s\+\)\@<=\%(row\|source\|relay\)\ze\s\+\w\+\s\+of\>/
syntax match sutlerSlot /\%(^\%(override\s\+\)\?exception\s\+\w\+\s\+to\s\+\)\@<=\%(through\|stopping\|into\)\ze\s\+of\>/
syntax match sutlerSlot /,\s*\zsbut\ze\s*{/
syntax match sutlerSlot /\%(^\%(setup\|trace\|table\|test\|map\|phase\|choice\)\s\+\w\+\%(\s\+of\s\+\w\+\)\?\s\+\)\@<=as\>/
syntax match sutlerSlot /\%(^add\s\+\)\@<=row\>/
syntax match sutlerSlot /\%(^add\s.*\)\@<=\<\%(before\|after\)\ze\s\+\w\+\s\+as\>/
syntax match sutlerSlot /\%(^add\s.*\)\@<=\<as\>/

" Items, and the name behind each.
syntax match sutlerItem /^\%(edition\|ruleset\|section\|clause\|ruling\|option\|sides\|clock\|dimension\|kind\|named\|track\|mark\|given\)\>/ nextgroup=sutlerName skipwhite
syntax match sutlerItem /^\%(count\|pair\|define\|choice\|table\|trace\|die\|test\|phase\|hook\|map\|setup\|case\|mistake\|exception\)\>/ nextgroup=sutlerName skipwhite
syntax match sutlerItem /^\%(override\|add\|remove\|tabletop\)\>/
syntax match sutlerName /[A-Za-z]\w*/ contained
syntax match sutlerName /\%(\%(^\|\<as\)\s\+\%(source\|relay\|leg\|counts\|has\)\s\+\)\@<=\h\w*/

syntax match sutlerNumber /\<\d\+\%(d\d\+\|\/\d\+\)\?\>/
syntax match sutlerHex /\<hex \+\d\+\>/
syntax match sutlerCites /\[[A-Za-z0-9][A-Za-z0-9.,\- ]*\]/
syntax region sutlerString start=/"/ end=/"/ oneline
syntax match sutlerComment /#.*$/ contains=@Spell

highlight default link sutlerReserved Operator
highlight default link sutlerLine Keyword
highlight default link sutlerSlot Keyword
highlight default link sutlerItem Statement
highlight default link sutlerName Identifier
highlight default link sutlerNumber Number
highlight default link sutlerHex Constant
highlight default link sutlerCites Tag
highlight default link sutlerString String
highlight default link sutlerComment Comment

let b:current_syntax = 'sutler'
