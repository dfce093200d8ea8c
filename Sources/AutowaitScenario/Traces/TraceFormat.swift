/// A format of traces or profiles of links that is read or written.
package enum TraceFormat: String, CaseIterable, Hashable, Sendable {
  /// A link of this simulator.
  case link
  /// A trace of mahimahi: the milliseconds at which a packet may pass.
  case mahimahi
  /// A trace as Pensieve's simulator reads it: times and rates.
  case pensieve
  /// A network of Sabre: durations, bandwidths, latencies.
  case sabre
  /// A log of HTTP over HSDPA (Riiser et al., 2013).
  case hsdpa
  /// A log of HTTP over 4G in Ghent (van der Hooft et al., 2016).
  case ghent
  /// Measurements of broadband in America by the FCC.
  case fcc
  /// A log of 4G in Ireland (Raca et al., 2018).
  case irish4g
  /// A log of 5G in Ireland (Raca et al., 2020).
  case irish5g
  /// A log or the profiles of ERRANT.
  case errant
  /// A profile of Augmented Traffic Control.
  case atc
  /// The connectivity profiles of WebPageTest.
  case wpt
  /// The profiles of Apple's Network Link Conditioner.
  case nlc
  /// What a browser recorded of its requests.
  case har
  /// The access log of an AVPlayerItem.
  case accesslog
  /// When how many bytes arrived.
  case bytes
  /// A table of times and rates whose columns have names.
  case rates
  /// A script of commands for the traffic control of Linux.
  case tc
  /// A script of commands for dummynet on macOS.
  case dnctl

  /// What is known of it: the file of the format says it.
  var row: TraceFormatRow {
    switch self {
    case .link: LinkFormat.row
    case .mahimahi: MahimahiFormat.row
    case .pensieve: PensieveFormat.row
    case .sabre: SabreFormat.row
    case .hsdpa: TransferLogFormat.hsdpa
    case .ghent: TransferLogFormat.ghent
    case .fcc: FCCFormat.row
    case .irish4g: IrishFormat.row4G
    case .irish5g: IrishFormat.row5G
    case .errant: ErrantFormat.row
    case .atc: ATCFormat.row
    case .wpt: ConnectivityFormat.row
    case .nlc: ConditionerFormat.row
    case .har: HARFormat.row
    case .accesslog: AccessLogFormat.row
    case .bytes: TableReader.bytes
    case .rates: TableReader.rates
    case .tc: ShellScript.tc
    case .dnctl: ShellScript.dnctl
    }
  }

  /// Whether files of the format are read.
  package var isRead: Bool { row.read != nil }

  /// Whether files of the format are written.
  package var isWritten: Bool { row.writing != nil }

  /// What the format's rates are rates of; nil where each file says it, or none is read.
  package var kind: TraceKind? { row.kind }

  /// What a file of the format is, as a message says it.
  package var title: String { row.title }

  /// What a record of the format holds, in a few words.
  package var record: String { row.record }

  /// What files of the format cannot say, which a user should know; nil if nothing.
  package var limit: String? { row.limit }

  /// Whether it is a table whose columns somebody may name.
  package var isTable: Bool { row.isTable }

  /// Whether a file may hold several links, each with a name.
  package var hasProfiles: Bool { row.hasProfiles }

  /// Whether single packets or bytes are taken together, for some time.
  package var hasBins: Bool { row.hasBins }

  /// Whether each direction has a file of its own.
  package var hasTwoFiles: Bool { row.writing?.hasTwoFiles ?? false }

  /// Where all formats are shown.
  static let listNote = "'autowait convert --list-formats' shows the formats"

  /// What a message calls the formats that are read.
  package static var readable: [String] { allCases.filter { $0.isRead }.map { $0.rawValue } }

  /// What a message calls the formats that are written.
  package static var writable: [String] { allCases.filter { $0.isWritten }.map { $0.rawValue } }
}
