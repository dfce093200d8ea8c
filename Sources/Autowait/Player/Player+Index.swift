/// How a player finds the index of a file that has it at the back.
///
/// It asks for the file from its beginning, learns from the first bytes that they are content,
/// gives that request up and asks for the end of the file. With the index there it goes on from
/// what it has. So a file that was not made for the network costs two requests more.
extension Player {
  /// When the open request will have told where the index is.
  var probed: Instant { source.probed(configuration.indexProbe) }

  /// Gives up the request for the file from its beginning once it has brought content.
  mutating func leaveHead(in moment: inout Moment) -> Bool {
    guard probed <= moment.now else { return false }
    moment.cause = moment.flowCause
    source.file?.lookForIndexAtBack()
    cancelRequests(in: &moment)
    moment.cause = moment.log.count
    return true
  }
}
