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

  /// Whether files of the format are read.
  package var isRead: Bool { self != .tc && self != .dnctl }

  /// Whether files of the format are written.
  package var isWritten: Bool {
    switch self {
    case .link, .mahimahi, .pensieve, .sabre, .nlc, .tc, .dnctl: true
    case .hsdpa, .ghent, .fcc, .irish4g, .irish5g, .errant, .atc, .wpt, .har, .accesslog, .bytes,
      .rates:
      false
    }
  }

  /// What the format's rates are rates of; nil where each file says it, or none is read.
  package var kind: TraceKind? {
    switch self {
    case .mahimahi, .errant, .atc, .wpt, .nlc: .capacity
    case .pensieve, .sabre, .hsdpa, .ghent, .fcc, .irish4g, .irish5g, .har, .accesslog, .bytes:
      .goodput
    case .link, .rates, .tc, .dnctl: nil
    }
  }

  /// What a file of the format is, as a message says it.
  package var title: String {
    switch self {
    case .link: "a link of autowait"
    case .mahimahi: "a mahimahi trace"
    case .pensieve: "a Pensieve trace"
    case .sabre: "a Sabre network"
    case .hsdpa: "an HSDPA log"
    case .ghent: "a Ghent 4G log"
    case .fcc: "an FCC measurement"
    case .irish4g: "an Irish 4G log"
    case .irish5g: "an Irish 5G log"
    case .errant: "an ERRANT log"
    case .atc: "an ATC profile"
    case .wpt: "WebPageTest profiles"
    case .nlc: "Network Link Conditioner profiles"
    case .har: "an HTTP archive"
    case .accesslog: "an access log"
    case .bytes: "a table of arrivals"
    case .rates: "a table of rates"
    case .tc: "a script for tc"
    case .dnctl: "a script for dnctl"
    }
  }

  /// What a record of the format holds, in a few words.
  package var record: String {
    switch self {
    case .link: "JSON: rate, delay, loss, queue, both directions"
    case .mahimahi: "a line: ms at which 1500 bytes may pass"
    case .pensieve: "a line: s, Mbit/s since the line before"
    case .sabre: "JSON: duration_ms, bandwidth_kbps, latency_ms"
    case .hsdpa: "a line: s, ms, place, bytes, ms of these bytes"
    case .ghent: "a line: ms, ms, place, bytes, ms of these bytes"
    case .fcc: "CSV: bytes_sec per unit_id and target"
    case .irish4g: "CSV: Timestamp, DL_bitrate in kbit/s, State"
    case .irish5g: "as irish4g, and PINGAVG in ms"
    case .errant: "CSV: download and upload in kbit/s, rtt in ms"
    case .atc: "JSON: rate in kbit/s, delay, loss, reorder"
    case .wpt: "ini: bwIn, bwOut in bit/s, latency in ms"
    case .nlc: "XML property list with a dictionary Profiles"
    case .har: "JSON: timings and sizes of requests"
    case .accesslog: "JSON or CSV by the names of AVFoundation"
    case .bytes: "CSV or JSON: s, bytes since the line before"
    case .rates: "CSV or JSON: time, rate, by the names of columns"
    case .tc: "shell script: netem, with timed changes"
    case .dnctl: "shell script: dummynet, with timed changes"
    }
  }

  /// What files of the format cannot say, which a user should know; nil if nothing.
  package var limit: String? {
    switch self {
    case .accesslog:
      "an access log has only the time in which data came: outages and pauses are not in it"
    case .har:
      "an HTTP archive has only what was asked for: the link may have carried more"
    case .irish4g, .irish5g:
      "a log of downloads has what the server and the other users left, and outages as silence"
    case .link, .mahimahi, .pensieve, .sabre, .hsdpa, .ghent, .fcc, .errant, .atc, .wpt, .nlc,
      .bytes, .rates, .tc, .dnctl:
      nil
    }
  }

  /// Where all formats are shown.
  static let listNote = "'autowait convert --list-formats' shows the formats"

  /// What a message calls the formats that are read.
  package static var readable: [String] { allCases.filter { $0.isRead }.map { $0.rawValue } }

  /// What a message calls the formats that are written.
  package static var writable: [String] { allCases.filter { $0.isWritten }.map { $0.rawValue } }
}
