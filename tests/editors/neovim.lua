-- Drives Neovim as a user would: opens the file, reads the diagnostic, breaks its cause by hand, undoes that, and
-- applies a code action. What it sees goes to $REPORT as one object.

local seen = { version = tostring(vim.version().major) .. '.' .. vim.version().minor .. '.' .. vim.version().patch }

local function messages()
  local list = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    table.insert(list, diagnostic.message)
  end
  return list
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    error('waited in vain: ' .. what .. '; ' .. vim.inspect(messages()))
  end
end

--- The first diagnostic whose message has $EXPECT.
local function finding()
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.message:find(vim.env.EXPECT, 1, true) then
      return diagnostic
    end
  end
end

local function drive()
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))
  wait('a finding', finding)
  seen.found = messages()
  seen.line = finding().lnum + 1

  -- The text is edited and not saved.
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { '// nothing' })
  wait('an empty text has no finding', function() return not finding() end)
  vim.cmd('undo')
  wait('the finding is back', finding)
  assert(vim.deep_equal(lines, vim.api.nvim_buf_get_lines(0, 0, -1, false)), 'undo gives the text back')

  -- The cursor is where the finding is, and the user chooses an action from the list.
  local at = finding()
  vim.api.nvim_win_set_cursor(0, { at.lnum + 1, at.col })
  local chosen
  vim.ui.select = function(items, options, choose)
    seen.actions = {}
    for _, item in ipairs(items) do
      local title = options.format_item and options.format_item(item) or item
      table.insert(seen.actions, title)
      if title:find(vim.env.ACTION, 1, true) and not chosen then
        chosen = item
      end
    end
    choose(chosen, nil)
  end
  if (vim.env.ACTION or '') ~= '' then
    vim.lsp.buf.code_action()
    wait('an action: ' .. vim.env.ACTION, function() return seen.actions ~= nil end)
    assert(chosen, 'no action has “' .. vim.env.ACTION .. '”: ' .. vim.inspect(seen.actions))
    wait('the finding is gone', function() return not finding() end)
    seen.left = messages()
    seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  end
end

local fine, problem = pcall(drive)
seen.problem = not fine and tostring(problem) or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, vim.env.REPORT)
vim.cmd(fine and 'qall!' or 'cquit!')
