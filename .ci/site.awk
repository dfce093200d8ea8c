# Makes pages of articles in Markdown: what they use of it, and nothing more.
#
# All files are read twice: first for their titles and sections, then for what is in them.

function name(path) { sub(/.*\//, "", path); sub(/\.md$/, "", path); return path }
function page(of) { return (of == "Autowait" ? "index" : of) ".html" }

function escaped(text) {
  gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
  gsub(/"/, "\\&quot;", text)
  return text
}

# Each place of a text by another one; awks do not agree upon backslashes in gsub.
function swapped(text, what, by,    out, at) {
  out = ""
  while ((at = index(text, what))) {
    out = out substr(text, 1, at - 1) by
    text = substr(text, at + length(what))
  }
  return out text
}

# As JavaScript in quotes.
function quoted(text) {
  text = swapped(swapped(text, "\\", "\\\\"), "\"", "\\\"")
  return "\"" swapped(text, "<", "\\x3c") "\""
}

function slug(text) {
  text = tolower(text); gsub(/[^a-z0-9]+/, "-", text); gsub(/^-|-$/, "", text)
  return text
}

# The letters of a title, without marks.
function bare(text) { gsub(/[`*]/, "", text); return text }

# The end of what begins at a place and is closed by a mark; 0 if it is not.
function closing(text, from, mark,    at) {
  at = index(substr(text, from), mark)
  return at ? from + at - 1 : 0
}

function mistake(what) {
  print FILENAME ":" FNR ": error: " what > "/dev/stderr"
  failed = 1
}

# Words with marks as HTML: code, links, stress.
function inline(text,    out, at, letter, end, mark, label, url, rest) {
  out = ""; at = 1
  while (at <= length(text)) {
    letter = substr(text, at, 1)
    if (letter == "`") {
      mark = substr(text, at, 2) == "``" ? "``" : "`"
      end = closing(text, at + length(mark), mark)
      if (end) {
        at += length(mark)
        out = out "<code>" escaped(substr(text, at, end - at)) "</code>"
        at = end + length(mark); continue
      }
    }
    if (letter == "<" && (end = closing(text, at, ">"))) {
      url = substr(text, at + 1, end - at - 1)
      if (url ~ /^doc:/) {
        sub(/^doc:/, "", url); label = url; sub(/#.*/, "", label)
        rest = tolower(substr(url, length(label) + 1))
        if (!(label in titles)) mistake("there is no article " label)
        else if (rest != "" && !((label rest) in places)) mistake("there is no section " url)
        out = out "<a href=\"" page(label) rest "\">" escaped(bare(titles[label])) "</a>"
        at = end + 1; continue
      }
      if (url ~ /^https?:/) {
        out = out "<a href=\"" escaped(url) "\">" escaped(url) "</a>"; at = end + 1; continue
      }
    }
    if (letter == "[" && (end = closing(text, at, "](")) && (rest = closing(text, end, ")"))) {
      label = substr(text, at + 1, end - at - 1); url = substr(text, end + 2, rest - end - 2)
      out = out "<a href=\"" escaped(url) "\">" inline(label) "</a>"; at = rest + 1; continue
    }
    if (substr(text, at, 2) == "**" && (end = closing(text, at + 2, "**"))) {
      out = out "<strong>" inline(substr(text, at + 2, end - at - 2)) "</strong>"
      at = end + 2; continue
    }
    end = letter == "*" && substr(text, at + 1, 1) ~ /[A-Za-z]/ ? closing(text, at + 1, "*") : 0
    if (end) {
      out = out "<em>" inline(substr(text, at + 1, end - at - 1)) "</em>"; at = end + 1; continue
    }
    out = out escaped(letter); at++
  }
  return out
}

function put(text) { body = body text "\n" }

# What is found: the words of a section.
function note(text) {
  gsub(/<[^>]*>/, "", text); gsub(/&[a-z]*;/, " ", text)
  words = words " " text
}

function endSection() {
  if (section != "" || words != "")
    found[++foundCount] = "[" quoted(page(own) anchor) "," quoted(bare(titles[own])) "," \
      quoted(bare(section)) "," quoted(words) "]"
  words = ""
}

# Ends a paragraph, and lists that are deeper than some depth.
function endText(    html) {
  if (text == "") return
  html = inline(text); note(html)
  if (depth) body = body html; else put("<p>" html "</p>")
  text = ""
}
function endLists(least) {
  while (depth > least) { endText(); put("</li></" kinds[depth] ">"); depth-- }
}
function endTable() { if (inTable) { put("</tbody></table></div>"); inTable = 0 } }
function endBlock() { endText(); endLists(0); endTable() }

function row(line, tag,    count, cells, i, html, cell) {
  gsub(/\\\|/, "\001", line); sub(/^\|/, "", line); sub(/\| *$/, "", line)
  # A line in code is no border.
  count = split(line, cells, "|"); html = "<tr>"
  for (i = 1; i <= count; i++) {
    cell = cells[i]; gsub(/\001/, "|", cell); gsub(/^ +| +$/, "", cell)
    cell = inline(cell); note(cell); html = html "<" tag ">" cell "</" tag ">"
  }
  put(html "</tr>")
}

function endPage(    i, out, more) {
  if (own == "") return
  endBlock(); endSection()
  out = folder "/" (own == "Autowait" ? "Autowait" : own) ".html"
  print "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">" > out
  print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" > out
  more = own == "Autowait" ? "" : " – Autowait"
  print "<title>" escaped(bare(titles[own])) more "</title>" > out
  print "<link rel=\"stylesheet\" href=\"site.css\">" > out
  print "<a class=\"skip\" href=\"#article\">Skip to the article</a>" > out
  print "<input type=\"checkbox\" id=\"menu\"><label for=\"menu\">Contents</label>" > out
  print "<nav aria-label=\"Articles\">" > out
  print "<p class=\"home\"><a href=\"index.html\">Autowait</a></p>" > out
  print "<input id=\"search\" type=\"search\" placeholder=\"Search (/)\"" > out
  print "  aria-label=\"Search\">" > out
  print "<ol id=\"found-sections\" aria-live=\"polite\"></ol><div id=\"articles\">" > out
  for (i = 1; i <= navCount; i++) {
    if (nav[i] ~ /^# /) { print "<h2>" escaped(substr(nav[i], 3)) "</h2>" > out; continue }
    print "<a href=\"" page(nav[i]) "\"" (nav[i] == own ? " aria-current=\"page\"" : "") ">" \
      inline(titles[nav[i]]) "</a>" > out
  }
  print "</div></nav>\n<main id=\"article\">" > out
  printf "%s", body > out
  print "</main>\n<script src=\"search.js\"></script>" > out
  print "<script src=\"site.js\"></script>\n</html>" > out
  close(out)
  body = ""
}

FNR == 1 {
  seen[FILENAME]++
  second = seen[FILENAME] == 2
  if (second) { endPage(); own = name(FILENAME); section = ""; anchor = ""; inCode = 0 }
  inFence = 0
}

# First time: titles, and the order of the first page.
!second {
  if ($0 ~ /^```/) inFence = !inFence
  if (inFence) next
  if ($0 ~ /^# / && !(name(FILENAME) in titles)) titles[name(FILENAME)] = substr($0, 3)
  if ($0 ~ /^##+ /) { entry = $0; sub(/^#+ /, "", entry); places[name(FILENAME) "#" slug(entry)] }
  if (name(FILENAME) == "Autowait") {
    if ($0 ~ /^### /) topic = "# " substr($0, 5)
    if ($0 ~ /^- <doc:/) {
      if (topic != "") { nav[++navCount] = topic; topic = "" }
      entry = $0; gsub(/^- <doc:|>.*$/, "", entry); nav[++navCount] = entry
    }
  }
  next
}

inCode {
  if ($0 ~ /^ *```/) { put("</code></pre>"); inCode = 0; next }
  line = $0
  if (codeIndent && substr(line, 1, codeIndent) ~ /^ *$/) line = substr(line, codeIndent + 1)
  body = body escaped(line) "\n"; next
}
/^ *```/ {
  endText(); if ($0 ~ /^```/) { endLists(0) }
  endTable()
  codeIndent = match($0, /`/) - 1
  language = $0; gsub(/^ *```/, "", language)
  file = language; sub(/^[a-z]* ?/, "", file); sub(/ .*/, "", language)
  if (file !~ /^(file |scenario |Scenarios\/)/) file = ""
  sub(/^(file|scenario) /, "", file); sub(/ .*/, "", file)
  body = body (file != "" ? "<p class=\"file\">" escaped(file) "</p>" : "") \
    "<pre class=\"" escaped(language) "\" tabindex=\"0\"><code>"
  inCode = 1; next
}
/^<!-- picture / {
  endBlock(); entry = $3; sub(/:$/, "", entry)
  call = $0; sub(/^<!-- picture [^ ]* /, "", call); sub(/ -->$/, "", call)
  put("<figure><picture>")
  put("<source media=\"(prefers-color-scheme: dark)\" srcset=\"pictures/" entry "-dark.svg\">")
  put("<img src=\"pictures/" entry "-light.svg\" alt=\"What this command draws\"></picture>")
  put("<figcaption><code>autowait " escaped(call) " --svg -</code></figcaption></figure>")
  next
}
/^<!-- page / {
  if (ENVIRON["AUTOWAIT_PAGE"] == "") next
  endBlock()
  put("<figure><iframe src=\"page.html?scenario=" $3 "\" title=\"The page\"></iframe>")
  put("<figcaption><a href=\"page.html?scenario=" $3 "\">the page by itself</a></figcaption>")
  put("</figure>")
  next
}
/^<!--/ { next }
/^#+ / {
  endBlock()
  level = match($0, / /) - 1; title = substr($0, level + 2)
  if (level > 1) { endSection(); section = title; anchor = "#" slug(title) }
  put("<h" level (level > 1 ? " id=\"" slug(title) "\"" : "") ">" inline(title) "</h" level ">")
  next
}
/^\|/ {
  endText(); endLists(0)
  if ($0 ~ /^\|[-:| ]+$/ && inTable == 1) { put("</thead><tbody>"); inTable = 2; next }
  if (!inTable) {
    put("<div class=\"wide\" tabindex=\"0\"><table><thead>"); row($0, "th"); inTable = 1; next
  }
  row($0, "td"); next
}
/^ *(-|[0-9]+\.) / {
  endText(); endTable()
  indent = match($0, /[^ ]/) - 1; wanted = int(indent / 2) + 1
  if (wanted > depth + 1) wanted = depth + 1
  kind = $1 == "-" ? "ul" : "ol"
  line = $0; sub(/^ *(-|[0-9]+\.) /, "", line)
  if (depth >= wanted) { endLists(wanted); endText(); body = body "</li>\n<li>" }
  else { depth++; kinds[depth] = kind; body = body "<" kind "><li>" }
  text = line; next
}
/^ *$/ { endText(); blank = 1; if (inTable) endTable(); next }
{
  # A line that is not indented ends lists, if a blank one stands before it.
  if (depth && blank && $0 !~ /^ /) endLists(0)
  line = $0; sub(/^ +/, "", line)
  text = text == "" ? line : text " " line
  blank = 0
}

END {
  endPage()
  out = folder "/search.js"
  print "const sections = [" > out
  for (i = 1; i <= foundCount; i++) print found[i] "," > out
  print "];" > out
  exit failed
}
