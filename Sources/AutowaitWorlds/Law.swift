/// What holds in every world.
package enum Law: String, Hashable, Sendable, CaseIterable {
  /// Taking no shortcut and planning everything again after each event gives the same log, results
  /// and outcomes of expectations.
  case eventByEvent = "event by event"
  /// Looking at a run at some instants changes nothing.
  case looks = "looked at"
  /// A player that does nothing changes nothing.
  case idlePlayer = "an idle player"
  /// A copy goes on as the original does.
  case copies
  /// A run in pieces is the run.
  case pieces
  /// Packets that travelled in another run bring the same as if they travelled again.
  case tape = "packets of another run"
  /// Runs on several threads are those of one.
  case threads
  /// The accounts of time, stalls and access logs add up.
  case time = "accounts of time"
  /// What requests brought is what was received.
  case bytes = "accounts of bytes"
  /// A log can be replayed from itself.
  case replay
  /// Nothing plays that is not loaded.
  case loaded = "nothing plays that is not loaded"
  /// Likely-to-keep-up does not turn and turn back at one instant by what is asked for, and nothing
  /// plays for no time.
  case turns = "no turn lasts for no time"
  /// An item that fails has nothing left to play.
  case playedOut = "nothing fails that can be played"
  /// On an ideal link, more rate or less delay never makes steady progressive playback later.
  case monotone = "more is never later"
  /// The process does not end before its time.
  case alive
}

/// A law that does not hold in a world.
package struct Breach: Hashable, Sendable {
  /// The law.
  package let law: Law
  /// What is the matter.
  package let message: String
}
