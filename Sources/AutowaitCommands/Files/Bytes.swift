/// Works on plain bytes.
enum Bytes {
  /// Returns whether some bytes contain others.
  static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    return bytes.withUnsafeBufferPointer { all in
      var start = 0
      while start + part.count <= all.count {
        if all[start] == first {
          var length = 1
          while length < part.count, all[start + length] == part[length] { length += 1 }
          if length == part.count { return true }
        }
        start += 1
      }
      return false
    }
  }
}
