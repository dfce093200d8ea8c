import AutowaitScenario

/// Descriptions of jobs for clouds, which are JSON: it can be read by all, and quotes every path.
extension Recipe {
  /// Words of a call in a container.
  private var containerWords: [String] {
    ["autowait"] + words + ["--shard", "auto/\(shards)"]
  }

  /// An object as text.
  private static func object(_ members: (inout JSONWriter) -> Void) -> String {
    String(decoding: JSONWriter.line(.pretty, capacity: 2_048, members), as: UTF8.self)
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
        writer.object("metadata") { $0.field("name", "autowait") }
        writer.object("spec") { writer in
          writer.field("completionMode", "Indexed")
          writer.field("completions", Int64(shards))
          writer.field("parallelism", Int64(min(shards, 100)))
          writer.field("backoffLimitPerIndex", Int64(3))
          writer.object("podFailurePolicy", failurePolicy)
          writer.object("template") { $0.object("spec", pod) }
        }
      }
  }

  private func failurePolicy(_ writer: inout JSONWriter) {
    writer.array("rules") { writer in
      writer.object { writer in
        writer.field("action", "FailIndex")
        writer.object("onExitCodes") { writer in
          writer.field("containerName", "autowait")
          writer.field("operator", "In")
          writer.array("values") { $0.integer(Int64(ExitCode.invalid.rawValue)) }
        }
      }
      writer.object { writer in
        writer.field("action", "Ignore")
        writer.array("onPodConditions") { $0.object { $0.field("type", "DisruptionTarget") } }
      }
    }
  }

  private func pod(_ writer: inout JSONWriter) {
    writer.field("restartPolicy", "Never")
    writer.array("containers") { writer in
      writer.object { writer in
        writer.field("name", "autowait")
        writer.field("image", "IMAGE")
        // Kubernetes puts variables in the place of $(NAME); $$ stands for a dollar.
        writer.strings("command", containerWords.map { $0.replacing("$", with: "$$") })
        writer.field("workingDir", "/work")
        writer.object("resources") { writer in
          writer.object("requests") { writer in
            writer.field("cpu", "1")
            writer.field("memory", "256Mi")
          }
        }
        writer.array("volumeMounts") { writer in
          writer.object { writer in
            writer.field("name", "work")
            writer.field("mountPath", "/work")
          }
        }
      }
    }
    writer.array("volumes") { writer in
      writer.object { writer in
        writer.field("name", "work")
        writer.object("persistentVolumeClaim") { $0.field("claimName", "CLAIM") }
      }
    }
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
    writer.object("containerProperties") { writer in
      writer.field("image", "IMAGE")
      writer.strings("command", containerWords)
      writer.objects("resourceRequirements", [("VCPU", "1"), ("MEMORY", "512")]) {
        $0.field("type", text: $1.0)
        $0.field("value", text: $1.1)
      }
      writer.array("mountPoints") { writer in
        writer.object { writer in
          writer.field("sourceVolume", "work")
          writer.field("containerPath", "/work")
        }
      }
      writer.array("volumes") { writer in
        writer.object { writer in
          writer.field("name", "work")
          writer.object("efsVolumeConfiguration") { $0.field("fileSystemId", "FILE-SYSTEM") }
        }
      }
    }
    writer.object("retryStrategy") { writer in
      writer.field("attempts", Int64(3))
      writer.array("evaluateOnExit") { writer in
        writer.object { writer in
          writer.field("onExitCode", text: "\(ExitCode.invalid.rawValue)")
          writer.field("action", "EXIT")
        }
        writer.object { writer in
          writer.field("onReason", "*")
          writer.field("action", "RETRY")
        }
      }
    }
  }
}
