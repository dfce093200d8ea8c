# Prints a line for each public symbol of pretty-printed symbol graphs, with its full name and its
# declaration, and one for each conformance. Leaves out what the standard library adds to every
# conforming type, and the conformances that the compiler adds to every type.
BEGIN { implicit = "\\.(Copyable|Escapable|SendableMetatype)$" }
function value() { sub(/^ *("[^"]*": )?"/, ""); sub(/",?$/, ""); gsub(/\\"/, "\""); return $0 }

/^    \{$/ { name = declaration = symbol = kind = target = "" }
/^      "[A-Za-z]+":/ { section = $1 }
section == "\"identifier\":" && /^        "precise":/ { symbol = value() }
section == "\"pathComponents\":" && /^        "/ { name = name (name ? "." : "") value() }
section == "\"declarationFragments\":" && /^          "spelling":/ {
  part = value()
  gsub(/\\n */, " ", part)
  declaration = declaration part
}
/^      "kind": "/ { kind = value() }
/^      "source": "/ { source = value() }
/^      "target": "/ { target = value() }
/^      "targetFallback": "/ { names[target] = value() }
/^    \}/ && name && symbol !~ /::SYNTHESIZED::/ {
  names[symbol] = name
  print name ": " declaration
}
/^    \}/ && kind == "conformsTo" && (source in names) && !(names[target] ~ implicit) {
  print names[source] ": conforms to " names[target]
}
