; Colours for editors that read tree-sitter queries.

(name) @variable
(comment) @comment
(string) @string
(numeral) @number
(dice) @number
(hex_label) @constant
(clause_ref) @label
(code) @constant

[
  "a" "about" "across" "add" "adjacent" "advance" "after" "against" "all" "along" "always" "an" "and" "any" "as"
  "asks" "at" "back" "base" "be" "before" "bent" "between" "beyond" "break" "but" "by" "called" "case" "cases" "cell" "chance"
  "choice" "choose" "clause" "clear" "clock" "columns" "conform" "contact" "cost" "count" "counts" "default" "define"
  "dice" "die" "dimension" "do" "down" "each" "edition" "else" "end" "even" "exception" "expect" "expects" "extends" "face"
  "facing" "fall" "first" "flat" "follow" "for" "from" "gap" "given" "gives" "greater" "grid" "has" "hash" "here" "highest"
  "hook" "if" "in" "instead" "into" "is" "it" "its" "joins" "judge" "judged" "junction" "kept" "kind" "lasts" "least" "left" "leg" "legend"
  "less" "lesser" "line" "lines" "link" "lower" "lowest" "make" "map" "mark" "match" "matches" "may" "maybe" "mistake" "more" "most" "move"
  "must" "named" "never" "no" "none" "not" "now" "odd" "of" "off" "on" "once" "one" "only" "option" "optional" "or"
  "order" "other" "otherwise" "outside" "over" "override" "pair" "per" "phase" "pointy" "prefer" "prefix" "put" "raise"
  "readings" "reads" "relay" "remove" "requires" "retry" "right" "roll" "rounded" "row" "rows" "ruleset" "ruling" "run" "same"
  "script" "scripts" "section" "set" "setup" "sheet" "short" "shows" "side" "sides" "source" "space" "spending" "start"
  "stopping" "sum" "sutler" "swap" "table" "tabletop" "test" "than" "the" "then" "through" "times" "to"
  "trace" "track" "until" "was" "way" "wheel" "when" "where" "with" "within" "without" "would" "yes"
] @keyword

["+" "-" "*" "/" "="] @operator
["{" "}" "(" ")" "[" "]"] @punctuation.bracket
["," "|"] @punctuation.delimiter

(kind name: (name) @type)
(dim_name name: (name) @type)
(attribute name: (name) @property)
(track (name) @constant)
(track name: (name) @function)
(sides (name) @constant)
(named (name) @constant)
(ruleset name: (name) @function)
(ruling name: (name) @function)
(option name: (name) @function)
(clock name: (name) @function)
(mark_decl name: (name) @function)
(given_decl name: (name) @function)
(count_decl name: (name) @function)
(pair name: (name) @function)
(define name: (name) @function)
(exception name: (name) @function)
(choice name: (name) @function)
(table name: (name) @function)
(trace name: (name) @function)
(die name: (name) @function)
(test name: (name) @function)
(phase name: (name) @function)
(hook name: (name) @function)
(map name: (name) @function)
(setup name: (name) @function)
(copy name: (name) @function)
(changed name: (name) @function)
(source name: (name) @function)
(relay name: (name) @function)
(leg name: (name) @function)
(counts name: (name) @function)
(when_row name: (name) @function)
(per_row name: (name) @function)
(put name: (name) @function)
(space name: (name) @function)
