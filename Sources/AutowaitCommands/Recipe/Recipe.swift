import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// A script that runs an experiment in shards on an engine; equal questions give equal bytes.
///
/// All of them rest on the same: a shard is a pure function of its experiment and its number. So an
/// engine only has to run each at least once, a file that is put in its place whole makes that
/// exactly once, and no engine is asked to keep results in order.
struct Recipe {
  /// An engine that runs tasks on processors or machines.
  enum Engine: String, CaseIterable {
    case parallel, xargs, slurm, kubernetes
    case awsBatch = "aws-batch"
    case dask, ray, spark

    /// How many tasks the engine takes at a time.
    var shardLimits: ClosedRange<Int> {
      switch self {
      // Source: "Array jobs", AWS Batch User Guide: from 2 to 10,000 children.
      case .awsBatch: 2...10_000
      // Source: Kubernetes, "Jobs": with a limit of failures for each index, 100,000 completions.
      case .kubernetes: 1...100_000
      case .parallel, .xargs, .slurm, .dask, .ray, .spark: 1...1_000_000
      }
    }
  }

  let engine: Engine
  /// The path of the experiment.
  let experiment: String
  let shards: Int
  /// The folder that shards are kept in.
  let folder: String
  /// The number of sessions of the experiment.
  let sessions: Int
  /// The options of the experiment, each with its value.
  let options: [String]
  /// Whether programs are started that are rules of the experiment.
  let allowsPrograms: Bool

  /// The script.
  var text: String {
    switch engine {
    case .parallel: parallel
    case .xargs: xargs
    case .slurm: slurm
    case .kubernetes: kubernetes
    case .awsBatch: awsBatch
    case .dask: dask
    case .ray: ray
    case .spark: spark
    }
  }

  /// What the experiment is cut into, in words.
  var size: String {
    "\(Plural.text(sessions, "session")) in \(Plural.text(shards, "shard"))"
  }

  /// A path that no program takes for an option.
  private static func safe(_ path: String) -> String {
    path.utf8.first == UInt8(ascii: "-") ? "./" + path : path
  }

  /// The words of a call that makes a shard, without what says which one.
  var words: [String] {
    ["compare", Self.safe(experiment)] + safeOptions + ["--out", Self.safe(folder), "--jobs", "1"]
  }

  /// The words of a worker's call.
  var workerWords: [String] {
    ["work", Self.safe(experiment)] + safeOptions
  }

  private var safeOptions: [String] {
    options.enumerated().map { place, word in place % 2 == 0 ? word : Self.safe(word) }
      + (allowsPrograms ? [Option.allowPrograms.name] : [])
  }

  /// The words of the call that merges the shards.
  var mergeWords: [String] {
    let root = options.firstIndex(of: "--root").map { ["--root", Self.safe(options[$0 + 1])] }
    return ["merge", Self.safe(folder)] + (root ?? [])
  }

  /// Returns words as a shell reads them.
  func shell(_ words: [String]) -> String {
    // Only options begin with dashes still.
    words.map { $0.hasPrefix("--") ? $0 : Path.quoted($0) }.joined(separator: " ")
  }

  /// Returns words as a list of Python, whose strings are spelled as those of JSON.
  func python(_ words: [String]) -> String { "[" + words.map(json).joined(separator: ", ") + "]" }

  private func json(_ text: String) -> String { JSONWriter.text { $0.string(text: text) } }
}

/// Scripts for the shell.
extension Recipe {
  private var shellHead: String {
    """
    set -euo pipefail
    # The shell takes another tool from the environment: AUTOWAIT=/path/to/autowait
    export AUTOWAIT="${AUTOWAIT:-autowait}"

    """
  }

  /// Makes one shard; its argument is the number.
  ///
  /// One thread each: the engine keeps processors busy.
  private var shellFunction: String {
    """
    make_shard() {
      "$AUTOWAIT" \(shell(words)) --shard "$1/\(shards)"
    }
    export -f make_shard

    """
  }

  var xargs: String {
    """
    #!/usr/bin/env bash
    # \(size), on all processors of this machine.
    #
    # A shard file appears complete or not at all, and an existing one is not made again.
    # So the script may be started again after whatever stopped it. xargs stops when a task is
    # killed, and does not repeat one that failed: hence the loop.
    \(shellHead)
    \(shellFunction)
    for attempt in 1 2 3; do
      if seq \(shards) | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 bash -c 'make_shard "$1"' bash
      then break; fi
    done

    # Prints the comparison, or a list of what is missing and of the calls that make it.
    "$AUTOWAIT" \(shell(mergeWords))

    """
  }

  var parallel: String {
    """
    #!/usr/bin/env bash
    # \(size), on all processors of this machine, or of several.
    #
    # Each task writes a file of its own, and nothing is gathered from what tasks print: measured
    # with GNU Parallel 20221122, "--pipepart --retries" loses rows of killed workers and ends with
    # 0, and one file for each task with "--retries" is exact. For other machines that share this
    # folder, add: --sshlogin host1,host2 --env make_shard --env AUTOWAIT --workdir .
    \(shellHead)
    \(shellFunction)
    # Tasks that still fail do not keep the others from being merged, or from being listed.
    seq \(shards) | parallel --retries 3 make_shard || true

    # Prints the comparison, or a list of what is missing and of the calls that make it.
    "$AUTOWAIT" \(shell(mergeWords))

    """
  }

  var slurm: String {
    let large =
      shards > 1_000
      ? "# This array is larger than clusters allow by default (MaxArraySize 1001).\n"
      : ""
    return """
      #!/usr/bin/env bash
      #SBATCH --job-name=autowait
      #SBATCH --array=1-\(shards)
      #SBATCH --cpus-per-task=1
      #SBATCH --mem=512M
      #SBATCH --requeue
      # \(size), as an array of Slurm. Submit it with sbatch, from a folder that all nodes
      # share.
      #
      # Slurm takes up to a second to start a task: let shards take 30 s or more. It requeues the
      # tasks of a node that is lost, but not one that fails.
      \(large)# When the array is done, and from the same folder:
      #   autowait \(comment(mergeWords))
      # prints the comparison, or the numbers of what is missing, as: sbatch --array=2,5-7 SCRIPT
      set -euo pipefail

      # The number is SLURM_ARRAY_TASK_ID. The total is given, since an array of what is missing
      # would tell a wrong one.
      exec "${AUTOWAIT:-autowait}" \(shell(words)) --shard auto/\(shards)

      """
  }

  /// A call in a comment, which must not leave its line.
  func comment(_ words: [String]) -> String {
    words.contains { $0.printable != $0 } ? "merge …" : shell(words)
  }
}

/// Scripts in Python.
extension Recipe {
  private func pythonTask(_ decorator: String) -> String {
    """
    AUTOWAIT = os.environ.get("AUTOWAIT", "autowait")
    MAKE = \(python(words))
    MERGE = \(python(mergeWords))
    SHARDS = \(shards)


    \(decorator)def make_shard(number):
        subprocess.run([AUTOWAIT, *MAKE, "--shard", f"{number}/{SHARDS}"], check=True)
        return number


    """
  }

  var dask: String {
    """
    #!/usr/bin/env python3
    \"\"\"\(size), on a cluster of Dask whose workers share this folder.

    Results are files and not what tasks return: Dask computes results of a worker again that dies,
    and an existing shard is not made again. Without DASK_SCHEDULER_ADDRESS in the environment
    the cluster is this machine.
    \"\"\"

    import os
    import subprocess

    from dask.distributed import Client

    \(pythonTask(""))
    if __name__ == "__main__":
        with Client() as client:
            # Not pure: a task whose shard went missing is to be run again.
            tasks = client.map(make_shard, range(1, SHARDS + 1), retries=3, pure=False)
            client.gather(tasks, errors="skip")
        # Prints the comparison, or a list of what is missing and of the calls that make it.
        raise SystemExit(subprocess.run([AUTOWAIT, *MERGE]).returncode)

    """
  }

  var ray: String {
    """
    #!/usr/bin/env python3
    \"\"\"\(size), on a cluster of Ray whose nodes share this folder.

    Results are files and not objects, so that no node has to hold them. Without RAY_ADDRESS in the
    environment the cluster is this machine.
    \"\"\"

    import os
    import subprocess

    import ray

    \(pythonTask("@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)\n"))
    if __name__ == "__main__":
        ray.init()
        rest = [make_shard.remote(number) for number in range(1, SHARDS + 1)]
        while rest:
            done, rest = ray.wait(rest)
            try:
                ray.get(done)
            except Exception as error:
                print(error)
        # Prints the comparison, or a list of what is missing and of the calls that make it.
        raise SystemExit(subprocess.run([AUTOWAIT, *MERGE]).returncode)

    """
  }

  var spark: String {
    """
    #!/usr/bin/env python3
    \"\"\"\(size), on a cluster of Spark.

    Only where there is one already: it costs more processor time than the others.

    Jobs are sent to workers and what they print is saved. Without checkCode=True a worker that dies
    would leave rows out and nobody would know. The experiment must lie at the same path on all
    nodes, and so must the tool: pipe() gives workers an empty environment, so that they are told
    the PATH of this process. AUTOWAIT=/path/to/autowait names another tool.
    \"\"\"

    import os
    import shlex

    from pyspark.sql import SparkSession

    AUTOWAIT = os.environ.get("AUTOWAIT", "autowait")
    WORK = \(python(workerWords))
    FOLDER = \(json(mergeWords[1]))
    SHARDS = \(shards)
    # What finds the tool, its libraries, and the programs that an experiment asks.
    NEEDED = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]

    if __name__ == "__main__":
        spark = SparkSession.builder.appName("autowait").getOrCreate()
        jobs = [f'{{"shard": "{number}/{SHARDS}"}}' for number in range(1, SHARDS + 1)]
        lines = spark.sparkContext.parallelize(jobs, SHARDS)
        env = {name: os.environ[name] for name in NEEDED if name in os.environ}
        command = shlex.join([AUTOWAIT, *WORK])
        lines.pipe(command, env=env, checkCode=True).saveAsTextFile(FOLDER)
        # Where the folder is one of this machine, "autowait merge" takes it; else copy it first.
        print(shlex.join([AUTOWAIT, \(mergeWords.map(json).joined(separator: ", "))]))

    """
  }
}
