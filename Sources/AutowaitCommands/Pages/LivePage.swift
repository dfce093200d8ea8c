import AutowaitFigures
import AutowaitRendering
import AutowaitScenario

/// Writes the page in which scenarios run: one file with the module of WebAssembly, the scenarios,
/// and a script that calls the one with the others.
struct LivePage {
  /// The version of the data that the script reads.
  private static let formatVersion: Int64 = 1

  private let module: [UInt8]
  private let sources: [EmbeddedSource]

  /// Creates a page with a module, packed by gzip or not, and the scenarios of others behind those
  /// that are built in.
  init(module: [UInt8], _ sources: [EmbeddedSource]) {
    self.module = module
    self.sources = sources
  }

  /// The page as an HTML file.
  var html: [UInt8] {
    var page = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Autowait: draw the network, see the stall</title>
      <link rel="icon" href="data:,">
      <style>
      \(Page.colors)\(PageMarkup.style)
      </style></head><body>
      \(PageMarkup.body)
      <noscript>The simulator in this page needs JavaScript.</noscript>
      <script type="application/json" id="data">
      """
    page += String(decoding: Self.harmless(data), as: UTF8.self)
    page += "</script>\n<script type=\"text/plain\" id=\"module\">\n\(ModuleText.text(module))\n"
    page += "</script>\n<script id=\"engine\">\n\(PageScript.shared)\n</script>\n"
    page += "<script>\n\"use strict\"\n\(PageScript.rest)\n</script>\n</body></html>\n"
    return Array(page.utf8)
  }

  /// What the script reads.
  private var data: [UInt8] {
    JSONWriter.line(capacity: 1 << 16) { writer in
      writer.field("version", Self.formatVersion)
      writer.field("footer", text: ToolVersion.words.joined(separator: " · "))
      writer.objects("tabs", BuiltInTab.all) { writer, tab in
        writer.field("group", text: tab.group)
        Self.write(tab.source, titled: tab.title, into: &writer)
      }
      // Objects of one list are written by one function; these are added behind the others.
      writer.objects("files", sources) { writer, source in
        Self.write(source, titled: source.title, into: &writer)
      }
      writer.objects("rules", Heuristic.all) { writer, rule in
        writer.field("name", text: rule.name)
        writer.field("about", text: rule.summary)
        writer.objects("parameters", rule.parameters) { writer, parameter in
          writer.field("name", text: parameter.name)
          writer.field("about", text: parameter.about)
          writer.field("value", text: HeuristicRendering.text(parameter))
        }
      }
      writer.objects("links", LinkPreset.all) { writer, preset in
        writer.field("name", text: preset.name)
        writer.field("about", text: preset.about)
      }
    }
  }

  private static func write(
    _ source: EmbeddedSource, titled title: String, into writer: inout JSONWriter
  ) {
    writer.field("title", text: title)
    if source.isExperiment { writer.field("kind", "experiment") }
    writer.field("path", text: source.path)
    writer.field("text", text: source.text)
    writer.key("files")
    writer.object { writer in
      for file in source.files {
        writer.key(text: file.path)
        writer.string(text: Base64.text(file.bytes))
      }
    }
    if let fingerprint = source.fingerprint {
      writer.field("native", text: LogRendering.hexadecimal(fingerprint))
    }
    if let view = source.view {
      writer.key("view")
      writer.raw(String(decoding: view, as: UTF8.self))
    }
  }

  /// Returns JSON that cannot end the element that it stands in, whatever is called how.
  ///
  /// A `<` stands only in strings, where it may be written as an escape.
  private static func harmless(_ json: [UInt8]) -> [UInt8] {
    let escape = Array(#"\u003c"#.utf8)
    return json.flatMap { $0 == UInt8(ascii: "<") ? escape : [$0] }
  }
}
