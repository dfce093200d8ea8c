// swift-tools-version: 6.3

import PackageDescription

/// The one set of compiler settings that every target shares.
let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "autowait",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Autowait", targets: ["Autowait"]),
    .library(name: "AutowaitReference", targets: ["AutowaitReference"]),
    .library(name: "AutowaitScenario", targets: ["AutowaitScenario"]),
    .library(name: "AutowaitExperiment", targets: ["AutowaitExperiment"]),
    .executable(name: "autowait", targets: ["AutowaitTool"]),
    .executable(name: "autowait-accuracy", targets: ["AutowaitAccuracyTool"]),
    .executable(name: "autowait-bench", targets: ["AutowaitBench"]),
    .executable(name: "autowait-worlds", targets: ["AutowaitWorldsTool"]),
  ],
  targets: [
    .target(name: "Autowait", swiftSettings: settings),
    .target(name: "AutowaitReference", dependencies: ["Autowait"], swiftSettings: settings),
    .target(name: "AutowaitScenario", dependencies: ["Autowait"], swiftSettings: settings),
    .target(name: "AutowaitFigures", swiftSettings: settings),
    .target(
      name: "AutowaitAccuracy",
      dependencies: ["Autowait", "AutowaitReference", "AutowaitScenario"],
      swiftSettings: settings),
    .target(
      name: "AutowaitExperiment", dependencies: ["Autowait", "AutowaitScenario"],
      swiftSettings: settings),
    .target(
      name: "AutowaitCommands",
      dependencies: [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitExperiment",
        "AutowaitFigures",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "AutowaitTool", dependencies: ["AutowaitCommands"], swiftSettings: settings),
    .executableTarget(
      name: "AutowaitBench",
      dependencies: [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitExperiment",
        "AutowaitCommands",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "AutowaitAccuracyTool",
      dependencies: [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitAccuracy",
        "AutowaitCommands",
      ],
      swiftSettings: settings),
    .target(
      name: "AutowaitWorlds", dependencies: ["Autowait", "AutowaitScenario", "AutowaitCommands"],
      swiftSettings: settings),
    .executableTarget(
      name: "AutowaitWorldsTool", dependencies: ["Autowait", "AutowaitScenario", "AutowaitWorlds"],
      swiftSettings: settings),
    .testTarget(
      name: "AutowaitTests", dependencies: ["Autowait", "AutowaitWorlds"], swiftSettings: settings),
    .testTarget(
      name: "AutowaitReferenceTests",
      dependencies: ["Autowait", "AutowaitReference", "AutowaitScenario"],
      swiftSettings: settings),
    .testTarget(
      name: "AutowaitScenarioTests", dependencies: ["Autowait", "AutowaitScenario"],
      swiftSettings: settings),
    .testTarget(
      name: "AutowaitExperimentTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitExperiment"],
      swiftSettings: settings),
    .testTarget(
      name: "AutowaitCommandsTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitCommands"],
      swiftSettings: settings),
    .testTarget(
      name: "AutowaitAccuracyTests",
      dependencies: ["Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitAccuracy"],
      swiftSettings: settings),
    .testTarget(
      name: "AutowaitFiguresTests", dependencies: ["AutowaitFigures"], swiftSettings: settings),
    .testTarget(
      name: "AutowaitWorldsTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitWorlds"],
      swiftSettings: settings),
    .testTarget(name: "TidyTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
