import Autowait

/// Reading what receives pictures, and in which colors.
extension ScenarioReader {
  /// Reads the video output and the composition of a player.
  func readColors(
    _ fields: inout FieldReader, into configuration: inout PlayerConfiguration
  ) {
    if var output = fields.object(PlayerKeys.videoOutput) {
      var policy = configuration.pipeline ?? PipelinePolicy()
      policy.hasVideoOutput = output.value(of: FrameKeys.isAttached)
      configuration.pipeline = policy
      configuration.videoOutput = frames(&output)
      output.finish()
    }
    guard var composition = fields.object(PlayerKeys.composition) else { return }
    var plan = CompositionPlan()
    plan.color = composition.optional(CompositionKeys.color)
    if var compositor = composition.object(CompositionKeys.compositor) {
      var own = CompositionPlan.Compositor()
      own.supportsWideColor = compositor.value(of: CompositorKeys.supportsWideColor)
      own.supportsHighDynamicRange = compositor.value(of: CompositorKeys.supportsHDR)
      compositor.finish()
      plan.compositor = own
    }
    composition.finish()
    configuration.composition = plan
    if !fields.contains(PlayerKeys.videoOutput), let value = fields.object?.member("composition") {
      findings.warning(
        "without a 'videoOutput', a 'composition' has no effect on what is reported of colors",
        at: value)
    }
  }

  private func frames(_ fields: inout FieldReader) -> FrameSettings {
    var settings = FrameSettings()
    settings.allowsWideColor = fields.value(of: FrameKeys.allowsWideColor)
    settings.color = fields.optional(FrameKeys.color)
    return settings
  }

  /// Reads how an asset is read and written.
  func transcode(_ step: inout FieldReader, item: Int) -> PlayerAction {
    var plan = TranscodePlan()
    if var reader = step.object(StepKeys.reader) {
      plan.reader = frames(&reader)
      reader.finish()
    }
    if var writer = step.object(StepKeys.writer) {
      plan.color = writer.optional(FrameKeys.color)
      writer.finish()
    }
    return .transcode(item, plan)
  }
}
