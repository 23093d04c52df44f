-- Neovim as a client of `sutler lsp`: a mistake is shown where it is typed, its fix is offered and
-- made, names are found, and the file is laid out. Prints `ok`, or what is wrong.
local folder, server = os.getenv('SUTLER_FOLDER'), os.getenv('SUTLER')

local function fail(text)
  io.stderr:write(text .. '\n')
  vim.cmd('cquit 1')
end

local function check(truth, text)
  if not truth then fail(text) end
end

local function wait_for(what, truth)
  if not vim.wait(20000, truth, 20) then fail('waited in vain for ' .. what) end
end

vim.cmd('edit ' .. folder .. '/rules.sut')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = 'sutler',
  cmd = { server, 'lsp' },
  root_dir = folder,
})
check(client, 'the server did not start')
vim.lsp.buf_attach_client(buffer, client)
wait_for('the server', function() return #vim.lsp.buf_get_clients(buffer) > 0 or next(vim.lsp.buf_get_clients(buffer)) ~= nil end)

local function ask(method, params)
  local found = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  check(found and found[client], method .. ' was not answered')
  check(not found[client].err, vim.inspect(found[client].err))
  return found[client].result
end

local function line_of(pattern)
  for at, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local from = line:find(pattern)
    if from then return at - 1, from - 1 end
  end
  fail('no line has ' .. pattern)
end

local function at(pattern, further)
  local line, column = line_of(pattern)
  return {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = column + (further or 0) },
  }
end

-- A mistake, typed.
local line, column = line_of('not lost')
vim.api.nvim_buf_set_text(buffer, line, column, line, column + 8, { 'not lots' })
wait_for('the diagnostic', function() return #vim.diagnostic.get(buffer) == 1 end)
local fault = vim.diagnostic.get(buffer)[1]
check(fault.code == 'E0201' or fault.user_data.lsp.code == 'E0201', vim.inspect(fault))
check(fault.lnum == line and fault.col == column + 4, vim.inspect(fault))

-- Its fix.
local place = { line = line, character = column + 4 }
local actions = ask('textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = place, ['end'] = place },
  context = { diagnostics = {} },
})
check(#actions > 0 and actions[1].kind == 'quickfix', vim.inspect(actions))
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait_for('the end of the diagnostic', function() return #vim.diagnostic.get(buffer) == 0 end)

-- Names.
local hover = ask('textDocument/hover', at('within  reach', 9))
check(hover.contents.value:find('table `reach`', 1, true), vim.inspect(hover))
local found = ask('textDocument/definition', at('within  reach', 9))
check(#found == 1 and found[1].uri:find('rules.sut', 1, true), vim.inspect(found))
local references = at('define lost', 8)
references.context = { includeDeclaration = true }
check(#ask('textDocument/references', references) == 2, 'references')
local symbols = ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() })
check(#symbols > 10, vim.inspect(symbols))

-- Completion where a word of a fact is wanted.
local last = vim.api.nvim_buf_line_count(buffer)
vim.api.nvim_buf_set_lines(buffer, last, last, false, { 'define wood of region = terrain is ' })
local items = ask('textDocument/completion', at('define wood', 35)).items
local labels = {}
for _, item in ipairs(items) do labels[item.label] = true end
check(labels.forest and labels.hills and not labels.otherwise, vim.inspect(labels))
vim.api.nvim_buf_set_lines(buffer, last, last + 1, false, {})

-- Layout.
line = line_of('  otherwise 2')
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { '      otherwise   2' })
local edits = ask('textDocument/formatting', {
  textDocument = vim.lsp.util.make_text_document_params(),
  options = { tabSize = 2, insertSpaces = true },
})
vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
check(vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] == '  otherwise 2', 'layout')

io.stdout:write('ok\n')
vim.cmd('qall!')
