extension PageScript {
  /// How the module is unpacked.
  static let unpack = #"""
    // How the module is unpacked: by the browser if it is gzip, and here if it is LZMA, which
    // browsers do not know, and which takes a third less room.

    // Returns what a file of LZMA holds, in the form of its tools before xz: a byte of properties,
    // the sizes of the window and of the contents, and what a range coder made of them.
    function unpackLZMA(input) {
      const properties = [input[0] % 9, Math.floor(input[0] / 9) % 5, Math.floor(input[0] / 45)]
      const [literalBits, placeBits, stateBits] = properties
      const [placeMask, stateMask] = [(1 << placeBits) - 1, (1 << stateBits) - 1]
      // The chances that a bit is 0, in 2048ths, one after another by what the bit is about.
      const isMatch = 0, isRepeat = 192, isFirst = 204, isSecond = 216, isThird = 228
      const isLong = 240, slots = 432, places = 688, aligned = 816, lengths = 832, repeated = 1346
      const literals = 1860
      const chances = new Uint16Array(literals + (0x300 << (literalBits + placeBits))).fill(1024)
      let output = new Uint8Array(1 << 23)
      let [at, count, range, code] = [18, 0, 0xffffffff, 0]
      for (let i = 14; 18 > i; i += 1) code = code * 256 + input[i]

      function bit(place) {
        const chance = chances[place]
        const bound = (range >>> 11) * chance
        let result = 0
        if (bound > code) {
          range = bound
          chances[place] = chance + ((2048 - chance) >> 5)
        } else {
          range -= bound
          code -= bound
          chances[place] = chance - (chance >> 5)
          result = 1
        }
        if (0x1000000 > range) {
          range = (range << 8) >>> 0
          code = ((code << 8) | input[at]) >>> 0
          at += 1
        }
        return result
      }
      function direct(bits) {
        let result = 0
        for (let i = 0; bits > i; i += 1) {
          range >>>= 1
          const isOne = code >= range
          if (isOne) code -= range
          result = result * 2 + (isOne ? 1 : 0)
          if (0x1000000 > range) {
            range = (range << 8) >>> 0
            code = ((code << 8) | input[at]) >>> 0
            at += 1
          }
        }
        return result
      }
      function tree(place, bits) {
        let node = 1
        for (let i = 0; bits > i; i += 1) node = (node << 1) | bit(place + node)
        return node - (1 << bits)
      }
      function reversed(place, bits) {
        let [node, result] = [1, 0]
        for (let i = 0; bits > i; i += 1) {
          const one = bit(place + node)
          node = (node << 1) | one
          result |= one << i
        }
        return result
      }
      function length(place, state) {
        if (bit(place) === 0) return tree(place + 2 + state * 8, 3)
        if (bit(place + 1) === 0) return 8 + tree(place + 130 + state * 8, 3)
        return 16 + tree(place + 258, 8)
      }
      function distance(size) {
        const slot = tree(slots + Math.min(size, 3) * 64, 6)
        if (4 > slot) return slot
        const bits = (slot >> 1) - 1
        const start = (2 | (slot & 1)) * 2 ** bits
        if (14 > slot) return start + reversed(places + start - slot, bits)
        return start + direct(bits - 4) * 16 + reversed(aligned, 4)
      }
      function literal(state, last) {
        const before = count > 0 ? output[count - 1] : 0
        const own = ((count & placeMask) << literalBits) | (before >> (8 - literalBits))
        const place = literals + 0x300 * own
        let symbol = 1
        if (state > 6) {
          let match = output[count - last - 1]
          while (0x100 > symbol) {
            const wanted = (match >> 7) & 1
            match <<= 1
            const one = bit(place + ((1 + wanted) << 8) + symbol)
            symbol = (symbol << 1) | one
            if (one !== wanted) break
          }
        }
        while (0x100 > symbol) symbol = (symbol << 1) | bit(place + symbol)
        output[count] = symbol & 0xff
        count += 1
      }

      let state = 0
      const recent = [0, 0, 0, 0]
      while (true) {
        if (count + 300 > output.length) {
          const larger = new Uint8Array(output.length * 2)
          larger.set(output)
          output = larger
        }
        if (at > input.length + 8) throw new Error("the module is cut off")
        const place = count & stateMask
        if (bit(isMatch + state * 16 + place) === 0) {
          literal(state, recent[0])
          state = 4 > state ? 0 : 10 > state ? state - 3 : state - 6
          continue
        }
        let size
        if (bit(isRepeat + state) === 0) {
          size = length(lengths, place)
          const far = distance(size)
          if (far === 0xffffffff) return output.subarray(0, count)
          recent.unshift(far)
          recent.pop()
          state = 7 > state ? 7 : 10
        } else {
          if (bit(isFirst + state) === 0) {
            if (bit(isLong + state * 16 + place) === 0) {
              output[count] = output[count - recent[0] - 1]
              count += 1
              state = 7 > state ? 9 : 11
              continue
            }
          } else {
            const older = bit(isSecond + state) === 0 ? 1 : bit(isThird + state) === 0 ? 2 : 3
            recent.unshift(...recent.splice(older, 1))
          }
          size = length(repeated, place)
          state = 7 > state ? 8 : 11
        }
        if (recent[0] >= count) throw new Error("the module is damaged")
        const from = count - recent[0] - 1
        for (let i = 0; size + 2 > i; i += 1) output[count + i] = output[from + i]
        count += size + 2
      }
    }

    function bytesOf(base64) {
      if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64)
      return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    }

    // Returns the bytes of a text with thirteen bits in two of 91 characters.
    function bytesOfModule(text) {
      const odd = text.length % 2
      const output = new Uint8Array(Math.floor(((text.length - odd) / 2 * 13 + odd * 6) / 8))
      const digit = place => {
        const code = text.charCodeAt(place)
        return code - 33 - (code > 38) - (code > 60) - (code > 92)
      }
      let [word, bits, count] = [0, 0, 0]
      for (let i = 0; text.length > i; i += 2) {
        const isPair = text.length > i + 1
        word = isPair ? (word << 13) | (digit(i) * 91 + digit(i + 1)) : (word << 6) | digit(i)
        bits += isPair ? 13 : 6
        while (bits > 7) {
          bits -= 8
          output[count] = word >> bits
          count += 1
          word &= (1 << bits) - 1
        }
      }
      return output
    }

    // Runs a script with all that is shared as a worker.
    function workerOf(script) {
      const source = `${document.getElementById("engine").textContent}\n${script}\n`
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
      return new Worker(url)
    }

    // Unpacks in a worker, so that the page can be looked at meanwhile; here, where there is none.
    function unpackElsewhere(packed) {
      return new Promise(resolve => {
        try {
          const worker = workerOf("onmessage = ({ data }) => postMessage(unpackLZMA(data))")
          worker.onmessage = ({ data }) => {
            worker.terminate()
            resolve(data)
          }
          worker.onerror = () => resolve(unpackLZMA(packed))
          worker.postMessage(packed)
        } catch {
          resolve(unpackLZMA(packed))
        }
      })
    }

    async function moduleBytes() {
      const packed = bytesOfModule(document.getElementById("module").textContent.trim())
      if (packed[0] === 0) return packed
      if (packed[0] !== 0x1f) return unpackElsewhere(packed)
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))
      return new Uint8Array(await new Response(stream).arrayBuffer())
    }
    """#
}
