/// Who receives the pictures of an item.
package enum VideoDestination: UInt8, CaseIterable, Hashable, Sendable {
  /// A video output.
  case output
  /// The compositor of a video composition that the application has made itself.
  case compositor
  /// An application that reads an asset.
  case reader
  /// A file that an application writes.
  case file
}

/// What becomes of the colors of a picture on its way to somebody.
package enum ColorTreatment: UInt8, CaseIterable, Hashable, Sendable {
  /// They stay as they are.
  case preserved
  /// They are matched to another space that has all of them.
  case converted
  /// They are matched to a space that does not have all of them: what is beyond is lost.
  case clamped
  /// They were of no known space, and are said to be of one.
  case tagged
  /// Nobody knows what space they are of, so that nothing can match them.
  case untagged
}

/// Frames on their way: their color, if they are tagged, and what has become of it so far.
package struct ColoredFrames: Hashable, Sendable {
  package private(set) var color: VideoColor?
  package private(set) var treatment: ColorTreatment

  /// Takes frames as they are decoded.
  package init(_ color: VideoColor?) {
    self.color = color
    treatment = color == nil ? .untagged : .preserved
  }

  /// Matches the frames to a color.
  ///
  /// Source: "if the source and destination color properties differ, AVFoundation matches the
  /// color. You must tag the source" (Setting color properties for a specific resolution).
  mutating func match(to target: VideoColor) {
    guard let color, color != target else { return }
    self.color = target
    if target.isNarrower(than: color) {
      treatment = .clamped
    } else if treatment == .preserved {
      treatment = .converted
    }
  }

  /// Takes colors away that BT.709 does not have, as for who cannot handle them.
  mutating func matchToNarrowGamut() {
    if color?.usesWideGamut == true { match(to: .bt709) }
  }

  /// Says of frames that nobody has tagged what they are.
  mutating func tag(as target: VideoColor) {
    guard color == nil else { return match(to: target) }
    (color, treatment) = (target, .tagged)
  }
}

/// In which color an application works.
package enum WorkingColor: Hashable, Sendable {
  /// In a color of its own.
  case of(VideoColor)
  /// In the widest color of its items, and in BT.709 if nothing is wider (WWDC16 503).
  case widest

  /// Returns the color, for items that have some.
  package func color(for items: [VideoColor?]) -> VideoColor {
    switch self {
    case .of(let color): color
    case .widest: .widest(of: items)
    }
  }
}

/// How an application receives pictures: settings of a video output, or of an asset reader.
package struct FrameSettings: Hashable, Sendable {
  /// `AVVideoColorPropertiesKey`.
  package var color: WorkingColor?
  /// `AVVideoAllowWideColorKey`.
  package var allowsWideColor = false

  package init() {}

  /// Returns what arrives of some frames.
  ///
  /// Source: AVVideoSettings.h. The default "permits implicit color conversions to occur to a
  /// non-wide gamut color space".
  package func received(_ frames: ColoredFrames, items: [VideoColor?]) -> ColoredFrames {
    var frames = frames
    if let color {
      frames.match(to: color.color(for: items))
    } else if !allowsWideColor {
      frames.matchToNarrowGamut()
    }
    return frames
  }
}

/// A video composition, as far as colors go.
package struct CompositionPlan: Hashable, Sendable {
  /// A compositor that the application has made itself, and what it says that it can handle.
  package struct Compositor: Hashable, Sendable {
    /// `supportsWideColorSourceFrames`.
    package var supportsWideColor = false
    /// `supportsHDRSourceFrames`, which includes wide color.
    package var supportsHighDynamicRange = false

    package init() {}
  }

  /// `colorPrimaries`, `colorTransferFunction` and `colorYCbCrMatrix`; nil for those of the source.
  package var color: WorkingColor?
  /// The compositor; nil for the built-in one.
  package var compositor: Compositor?

  package init() {}

  /// Returns what the compositor receives of some frames; nil if it is the built-in one.
  ///
  /// Source: the documentation of `AVVideoCompositing`: frames of wide color are converted to
  /// BT.709 for a compositor that does not support them; those of high dynamic range, for one
  /// that does not support that, to the color of the composition.
  package func received(_ frames: ColoredFrames, items: [VideoColor?]) -> ColoredFrames? {
    guard let compositor else { return nil }
    var source = frames
    let supportsWideColor = compositor.supportsWideColor || compositor.supportsHighDynamicRange
    if !supportsWideColor {
      source.matchToNarrowGamut()
    } else if frames.color?.hasHighDynamicRange == true, !compositor.supportsHighDynamicRange {
      source.match(to: color?.color(for: items) ?? .bt709)
    }
    return source
  }

  /// Returns the frames that the composition makes of some.
  ///
  /// Assumed: a compositor that receives frames in their own colors matches them to that of the
  /// composition itself.
  package func composed(_ frames: ColoredFrames, items: [VideoColor?]) -> ColoredFrames {
    var composed = received(frames, items: items) ?? frames
    if let color { composed.match(to: color.color(for: items)) }
    return composed
  }
}

/// An application that reads an asset and writes another one.
package struct TranscodePlan: Hashable, Sendable {
  /// How it reads.
  package var reader = FrameSettings()
  /// `AVVideoColorPropertiesKey` of the writer's input; nil for none.
  package var color: WorkingColor?

  package init() {}

  /// Returns what the file has of frames that were read.
  ///
  /// Source: "Tagging media with video color information". With color properties the writer tags
  /// what is not tagged, and matches what is; without, the file has the tags of the frames.
  package func written(_ frames: ColoredFrames, items: [VideoColor?]) -> ColoredFrames {
    var frames = frames
    if let color { frames.tag(as: color.color(for: items)) }
    return frames
  }
}
