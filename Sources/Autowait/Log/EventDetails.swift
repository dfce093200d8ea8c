// What some events tell that nobody need take apart outside of the package: it prints itself.

/// A setting that an application wrote, with its new value.
public struct WrittenSetting: Hashable, Sendable {
  /// The setting.
  package let setting: PlayerSetting

  package init(_ setting: PlayerSetting) { self.setting = setting }
}

/// In which color somebody gets pictures from now on.
public struct VideoFrames: Hashable, Sendable {
  /// Who gets them.
  package let destination: VideoDestination
  /// The color that they are tagged with; nil if they are not tagged.
  package let color: VideoColor?
  /// What has become of their colors on the way.
  package let treatment: ColorTreatment

  package init(to destination: VideoDestination, _ color: VideoColor?, _ treatment: ColorTreatment)
  {
    (self.destination, self.color, self.treatment) = (destination, color, treatment)
  }
}

/// Why an item cannot follow the one before it without a gap.
public struct JoinMismatch: Hashable, Sendable {
  /// The trait in which they differ.
  package let trait: JoinTrait

  package init(_ trait: JoinTrait) { self.trait = trait }
}
