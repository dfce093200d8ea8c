import AutowaitScenario

/// Descriptions of jobs for clouds, which are JSON: it can be read by all, and quotes every path.
extension Recipe {
  /// Words of a call in a container.
  private var containerWords: [String] {
    ["autowait"] + words + ["--shard", "auto/\(shards)"]
  }

  /// An object as text.
  private static func object(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(.pretty, capacity: 2_048)
    writer.beginObject()
    body(&writer)
    writer.endObject()
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func object(
    _ key: StaticString, _ writer: inout JSONWriter, _ body: (inout JSONWriter) -> Void
  ) {
    writer.key(key)
    writer.beginObject()
    body(&writer)
    writer.endObject()
  }

  private static func objects(
    _ key: StaticString, _ writer: inout JSONWriter, _ bodies: [(inout JSONWriter) -> Void]
  ) {
    writer.key(key)
    writer.beginArray()
    for body in bodies {
      writer.beginObject()
      body(&writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private static func strings(
    _ key: StaticString, _ values: [String], _ writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginArray()
    for value in values { writer.string(text: value) }
    writer.endArray()
  }

  /// An Indexed Job.
  ///
  /// Source: Kubernetes, "Jobs" (completion mode Indexed, limit of failures for each index,
  /// policies for failures of pods).
  var kubernetes: String {
    """
    # \(size), as an Indexed Job of Kubernetes (1.33 or newer): kubectl apply -f FILE
    #
    # Put in an image that has autowait, and a volume claim of the folder that has the experiment.
    # The number of the shard is JOB_COMPLETION_INDEX. A pod that ends with 2 cannot be mended by
    # another try: the experiment is invalid; its index fails at once, and others go on. A pod that
    # is evicted does not count as a try. Then, in a pod with the same volume:
    #   autowait \(comment(mergeWords))
    # prints the comparison, or a list of what is missing and of the calls that make it.

    """
      + Self.object { writer in
        writer.field("apiVersion", "batch/v1")
        writer.field("kind", "Job")
        Self.object("metadata", &writer) { $0.field("name", "autowait") }
        Self.object("spec", &writer) { writer in
          writer.field("completionMode", "Indexed")
          writer.field("completions", Int64(shards))
          writer.field("parallelism", Int64(min(shards, 100)))
          writer.field("backoffLimitPerIndex", Int64(3))
          Self.object("podFailurePolicy", &writer, failurePolicy)
          Self.object("template", &writer) { writer in
            Self.object("spec", &writer, pod)
          }
        }
      }
  }

  private func failurePolicy(_ writer: inout JSONWriter) {
    Self.objects(
      "rules", &writer,
      [
        { writer in
          writer.field("action", "FailIndex")
          Self.object("onExitCodes", &writer) { writer in
            writer.field("containerName", "autowait")
            writer.field("operator", "In")
            writer.key("values")
            writer.beginArray()
            writer.integer(Int64(ExitCode.invalid.rawValue))
            writer.endArray()
          }
        },
        { writer in
          writer.field("action", "Ignore")
          Self.objects("onPodConditions", &writer, [{ $0.field("type", "DisruptionTarget") }])
        },
      ])
  }

  private func pod(_ writer: inout JSONWriter) {
    writer.field("restartPolicy", "Never")
    Self.objects(
      "containers", &writer,
      [
        { writer in
          writer.field("name", "autowait")
          writer.field("image", "IMAGE")
          // Kubernetes puts variables in the place of $(NAME); $$ stands for a dollar.
          Self.strings(
            "command", containerWords.map { $0.replacing("$", with: "$$") }, &writer)
          writer.field("workingDir", "/work")
          Self.object("resources", &writer) { writer in
            Self.object("requests", &writer) { writer in
              writer.field("cpu", "1")
              writer.field("memory", "256Mi")
            }
          }
          Self.objects(
            "volumeMounts", &writer,
            [
              {
                $0.field("name", "work")
                $0.field("mountPath", "/work")
              }
            ])
        }
      ])
    Self.objects(
      "volumes", &writer,
      [
        { writer in
          writer.field("name", "work")
          Self.object("persistentVolumeClaim", &writer) { $0.field("claimName", "CLAIM") }
        }
      ])
  }

  /// An array job.
  ///
  /// Source: AWS Batch User Guide, "Array jobs"; AWS Batch API Reference, "RetryStrategy".
  var awsBatch: String {
    """
    #!/usr/bin/env bash
    # \(size), as an array job of AWS Batch, which takes 2 to 10,000 shards.
    #
    # Put in an image that has autowait and works in /work, a file system with the experiment, and a
    # queue. The number of the shard is AWS_BATCH_JOB_ARRAY_INDEX. What ends with 2 is not tried
    # again: the experiment is invalid. All else is, as often as "attempts" says (at most 10), since
    # hosts are taken away at any time. Then, where the file system is mounted:
    #   autowait \(comment(mergeWords))
    # prints the comparison, or a list of what is missing and of the calls that make it.
    set -euo pipefail

    aws batch register-job-definition --cli-input-json "$(cat <<'JSON'
    \(Self.object(jobDefinition))JSON
    )"
    aws batch submit-job --job-name autowait --job-definition autowait \\
      --job-queue "${QUEUE:?the queue to submit to}" --array-properties size=\(shards)

    """
  }

  private func jobDefinition(_ writer: inout JSONWriter) {
    writer.field("jobDefinitionName", "autowait")
    writer.field("type", "container")
    Self.object("containerProperties", &writer) { writer in
      writer.field("image", "IMAGE")
      Self.strings("command", containerWords, &writer)
      Self.objects(
        "resourceRequirements", &writer,
        [
          {
            $0.field("type", "VCPU")
            $0.field("value", "1")
          },
          {
            $0.field("type", "MEMORY")
            $0.field("value", "512")
          },
        ])
      Self.objects(
        "mountPoints", &writer,
        [
          {
            $0.field("sourceVolume", "work")
            $0.field("containerPath", "/work")
          }
        ])
      Self.objects(
        "volumes", &writer,
        [
          { writer in
            writer.field("name", "work")
            Self.object("efsVolumeConfiguration", &writer) {
              $0.field("fileSystemId", "FILE-SYSTEM")
            }
          }
        ])
    }
    Self.object("retryStrategy", &writer) { writer in
      writer.field("attempts", Int64(3))
      Self.objects(
        "evaluateOnExit", &writer,
        [
          {
            $0.field("onExitCode", text: "\(ExitCode.invalid.rawValue)")
            $0.field("action", "EXIT")
          },
          {
            $0.field("onReason", "*")
            $0.field("action", "RETRY")
          },
        ])
    }
  }
}
