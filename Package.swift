// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "autowait",
  // What forces them stands in the article "Driving a player from Swift".
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Autowait", targets: ["Autowait"]),
    .library(name: "AutowaitPlayer", targets: ["AutowaitPlayer"]),
    .library(name: "AutowaitJSON", targets: ["AutowaitJSON"]),
    .library(name: "AutowaitScenario", targets: ["AutowaitScenario"]),
    .library(name: "AutowaitFiles", targets: ["AutowaitFiles"]),
    .library(name: "AutowaitTesting", targets: ["AutowaitTesting"]),
    .executable(name: "autowait", targets: ["AutowaitTool"]),
    .executable(name: "autowait-accuracy", targets: ["AutowaitAccuracyTool"]),
    .executable(name: "autowait-bench", targets: ["AutowaitBench"]),
    .executable(name: "autowait-worlds", targets: ["AutowaitWorldsTool"]),
  ],
  targets: [
    // Libraries, lowest first.
    .target(name: "Autowait"),
    .target(name: "AutowaitReference", dependencies: ["Autowait"]),
    .target(name: "AutowaitJSON"),
    .target(name: "AutowaitHLS", dependencies: ["AutowaitJSON"]),
    .target(
      name: "AutowaitScenario", dependencies: ["Autowait", "AutowaitHLS", "AutowaitJSON"]),
    .target(name: "AutowaitPlayer", dependencies: ["Autowait", "AutowaitScenario"]),
    .target(name: "AutowaitFiles", dependencies: ["Autowait", "AutowaitScenario"]),
    .target(
      name: "AutowaitAccuracy", dependencies: ["Autowait", "AutowaitReference", "AutowaitScenario"]
    ),
    .target(name: "AutowaitFigures"),
    .target(name: "AutowaitExperiment", dependencies: ["Autowait", "AutowaitScenario"]),
    .target(
      name: "AutowaitRendering",
      dependencies: [
        "Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitFigures",
      ]),
    .target(
      name: "AutowaitFidelity",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitFigures", "AutowaitRendering"]),
    .target(
      name: "AutowaitInference",
      dependencies: [
        "Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitFidelity",
        "AutowaitFigures", "AutowaitRendering",
      ]),
    .target(
      name: "AutowaitCommands",
      dependencies: [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitExperiment",
        "AutowaitFidelity", "AutowaitFigures", "AutowaitFiles", "AutowaitInference",
        "AutowaitRendering",
      ]),
    // What it has for a machine is compiled for wasm32 alone: see `.ci/web`.
    .target(
      name: "AutowaitWeb",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitRendering"]),
    .target(
      name: "AutowaitTesting",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitFiles", "AutowaitCommands"]),
    .target(
      name: "AutowaitWorlds",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitRendering", "AutowaitCommands"]),

    // Executables.
    .executableTarget(name: "AutowaitTool", dependencies: ["AutowaitCommands"]),
    .executableTarget(
      name: "AutowaitAccuracyTool",
      dependencies: [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitAccuracy",
        "AutowaitCommands", "AutowaitFiles",
      ]),
    .executableTarget(
      name: "AutowaitBench",
      dependencies: [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitExperiment",
        "AutowaitRendering", "AutowaitCommands",
      ]),
    .executableTarget(
      name: "AutowaitWorldsTool", dependencies: ["Autowait", "AutowaitScenario", "AutowaitWorlds"]),

    // Tests.
    .testTarget(
      name: "AutowaitTests", dependencies: ["Autowait", "AutowaitScenario", "AutowaitWorlds"]),
    .testTarget(
      name: "AutowaitPlayerTests",
      dependencies: ["Autowait", "AutowaitPlayer", "AutowaitScenario"]),
    .testTarget(
      name: "AutowaitTestingTests",
      dependencies: [
        "Autowait", "AutowaitPlayer", "AutowaitScenario", "AutowaitFiles", "AutowaitTesting",
      ]),
    .testTarget(
      name: "AutowaitReferenceTests",
      dependencies: ["Autowait", "AutowaitReference", "AutowaitScenario"]),
    .testTarget(
      name: "AutowaitScenarioTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitWorlds"]),
    .testTarget(
      name: "AutowaitAccuracyTests",
      dependencies: ["Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitAccuracy"]),
    .testTarget(
      name: "AutowaitFidelityTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitFidelity", "AutowaitRendering"]),
    .testTarget(
      name: "AutowaitInferenceTests",
      dependencies: [
        "Autowait", "AutowaitScenario", "AutowaitFidelity", "AutowaitInference",
        "AutowaitRendering",
      ]),
    .testTarget(name: "AutowaitFiguresTests", dependencies: ["AutowaitFigures"]),
    .testTarget(
      name: "AutowaitExperimentTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitExperiment"]),
    .testTarget(
      name: "AutowaitCommandsTests",
      dependencies: [
        "Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitFidelity",
        "AutowaitInference", "AutowaitRendering", "AutowaitCommands", "AutowaitWorlds",
      ]),
    .testTarget(
      name: "AutowaitWorldsTests",
      dependencies: ["Autowait", "AutowaitScenario", "AutowaitWorlds"]),
    .testTarget(name: "AutowaitWebTests", dependencies: ["AutowaitWeb"]),
    .testTarget(name: "TidyTests"),
  ],
  swiftLanguageModes: [.v6]
)

// Every target is compiled with the same settings.
for target in package.targets {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  // But tests spend their time in what they test. To optimize them, to describe them to a debugger
  // and to emit their interfaces would take minutes.
  if target.type == .test {
    target.swiftSettings?.append(
      .unsafeFlags(
        ["-Onone", "-gnone", "-no-emit-module-separately-wmo"], .when(configuration: .release)))
  }
}
