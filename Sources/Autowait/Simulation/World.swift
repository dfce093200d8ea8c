/// Everything that a run depends on: two equal worlds have equal runs, to the last byte of the log.
package struct World: Sendable {
  /// The seed of all random streams.
  package var seed: UInt64
  /// The numbers that were drawn to build the world.
  package var draws: Int64 = 0
  /// The conditions that the link can be in; the first one holds at the start.
  package var links: [LinkProfile]
  /// The changes of the link's condition at given instants, by ascending instant.
  package var linkChanges: [LinkChange] = []
  /// How requests are carried; nil for links that are ideal, on which a request costs a round trip.
  package var transport: TransportPolicy?
  /// How exactly the links are to be modelled; nil for what suits them.
  package var tier: LinkTier?
  /// The numbers of the links that carry what hosts of their own send; see ``Media/route``.
  package var hostLinks: [Int] = []
  /// The traffic of others that shares the link.
  package var traffic: [CrossTraffic] = []
  /// The players.
  package var players: [PlayerConfiguration]
  /// What the user does.
  package var script: [ScriptStep]
  /// The instant at which the run ends if it has not ended by itself.
  package var horizon: Instant
  /// The number of events after which a run is taken to be running away.
  ///
  /// An instant at which looking brings nothing may be an event in only one of the ways to run, so
  /// that the count is a guard, and no log, metric or outcome of a run below it depends on it.
  package var eventsMax: Int = 10_000_000
  /// The number of a player's stalls and of the entries in its access log, together, after which a
  /// run is taken to be running away.
  ///
  /// An entry takes more memory than an event (measured: about 800 bytes with its records), and a
  /// script that answers each seek with another one makes one with every few events. A player that
  /// starts while it starves plays a nanosecond at a time.
  package var entriesMax: Int { eventsMax / 50 + 1_000 }

  /// Creates a world.
  package init(
    seed: UInt64 = 0, links: [LinkProfile], players: [PlayerConfiguration],
    script: [ScriptStep], horizon: Instant
  ) {
    self.seed = seed
    self.links = links
    self.players = players
    self.script = script
    self.horizon = horizon
  }
}

extension World {
  /// How exactly the links are modelled, and why.
  package var tierChoice: TierChoice {
    if let tier { return TierChoice(asked: tier, policy: transport) }
    var demand = TransferDemand()
    guard transport != nil else {
      return TierChoice(links: links, policy: nil, demand: demand)
    }
    demand.largest = players.flatMap { $0.media }.reduce(.zero) { max($0, $1.size.begunBytes) }
    let loading = players.reduce(0) { $0 + ($1.media.map { $0.flowsMax }.max() ?? 0) }
    demand.flowsMax = loading + traffic.count { !$0.isConstant }
    return TierChoice(links: links, policy: transport, demand: demand)
  }

  /// The network at the start of a run; what happens by chance on a path to some hosts has a seed
  /// of its own.
  func network(_ tape: PacketTape?) -> Network {
    var trial = TransferTrial(
      TransferPlan(flows: []), on: links, policy: transport ?? TransportPolicy(),
      tier: tierChoice.tier)
    trial.changes = linkChanges
    var routes = [Network.Route(link: 0, seed: seed)]
    for link in hostLinks {
      let number = UInt64(routes.count)
      routes.append(Network.Route(link: link, seed: seed &+ number &* 0x9E37_79B9_7F4A_7C15))
    }
    return Network(trial, traffic: traffic, routes: routes, tape: tape)
  }

  /// Refuses what no run can make sense of; readers of files have refused it with a word before.
  func check() {
    precondition(
      players.count <= Limits.playersMax,
      "a world must have at most \(Limits.playersMax) players, has \(players.count)")
    precondition(
      horizon >= .start && horizon - .start <= Limits.timeMax,
      "horizon must be from 0 s to \(Limits.timeMax), is \(horizon)")
    precondition(!links.isEmpty, "a world must have a link")
    precondition(
      linkChanges.allSatisfy { links.indices.contains($0.link) },
      "the link of each change must be one of \(links.count), are \(linkChanges.map { $0.link })")
    precondition(
      hostLinks.allSatisfy { links.indices.contains($0) },
      "the link of each host must be one of \(links.count), are \(hostLinks)")
    for index in players.indices {
      players[index].keepUp.check()
      players[index].latency.check()
      let player = players[index]
      precondition(
        player.indexProbe > .zero, "indexProbe must be above 0 B, is \(player.indexProbe)")
      precondition(
        (player.pipeline?.build ?? .zero) >= .zero,
        "the build time of a pipeline must not be negative, is \(player.pipeline?.build ?? .zero)")
      precondition(
        player.media.allSatisfy { 0...hostLinks.count ~= $0.route },
        "the route of each medium must be at most \(hostLinks.count), are "
          + "\(player.media.map { $0.route })")
    }
    precondition(
      links.allSatisfy { $0.events.allSatisfy { exists($0.kind) } },
      "a handover must lead to one of \(links.count) links")
    for (index, step) in script.enumerated() {
      switch step.trigger {
      case .at, .when: break
      case .on(let reaction):
        precondition(
          reaction.delay >= .zero,
          "the delay of step \(index) must not be negative, is \(reaction.delay)")
      case .after(let other, let delay):
        precondition(
          0..<index ~= other && delay >= .zero,
          "step \(index) must come after an earlier one, with no negative delay, comes \(delay) "
            + "after step \(other)")
      case .every(let interval, _, _):
        precondition(
          interval > .zero, "the interval of step \(index) must be above 0 s, is \(interval)")
      }
    }
  }

  private func exists(_ kind: LinkEvent.Kind) -> Bool {
    guard case .handover(let handover) = kind, let link = handover.link else { return true }
    return links.indices.contains(link)
  }
}

extension Media {
  /// The most requests for it that are under way at a time, about.
  fileprivate var flowsMax: Int {
    switch source {
    case .local: 0
    case .progressive: 1
    case .stream(let shared): shared.streamMedia.renditions.contains { $0.list != nil } ? 2 : 1
    }
  }
}

extension World {
  /// Whether players of different priority share the network, now or after a step.
  var hasPriorities: Bool {
    players.count > 1
      && (players.contains { $0.networkResourcePriority != .default }
        || script.contains {
          if case .player(_, .set(.networkResourcePriority)) = $0.action { true } else { false }
        })
  }
}
