/// What lets a reader move through a run on a page: a cursor over all lanes with what was read
/// then, a closer look, and lanes that can be hidden.
///
/// It uses no library, reads only the page, and holds no character that markup would mind: pages
/// are XML as well. So comparisons are written with `>`, and conditions that must both hold one
/// within the other.
enum RunScript {
  /// The parts, one function in the end.
  static let parts = [reading, drawing, moving]

  /// How the data is read, and how numbers and axes are made of it.
  static let reading: StaticString = #"""

    (function () {
      "use strict";
      // The picture as it is without a script: where lanes begin, and how wide they are.
      var base = { left: 120, width: 864, right: 16 };
      var closest = 50;

      // Reads the data: for each player the properties, each with its text at every instant.
      function decode(json) {
        var sum = 0;
        var instants = json.instants.map(function (step) { sum += step; return sum; });
        var changes = new Set([0, instants.length - 1]);
        function words(row) {
          var all = [], place = 0, list = row.changes;
          for (var i = 0; list.length > i; i += 2) {
            place += list[i];
            changes.add(place);
            var end = list.length > i + 2 ? place + list[i + 2] : instants.length;
            while (end > all.length) { all.push(row.words[list[i + 1]]); }
          }
          return all;
        }
        function numbers(list) {
          var all = [], place = 0, value = 0;
          for (var i = 0; list.length > i; i += 3) {
            place += list[i];
            value += list[i + 2];
            var end = list.length > i + 3 ? place + list[i + 3] : instants.length;
            for (var at = place; end > at; at += 1) {
              var moved = list[i + 1] === 1 ? instants[at] - instants[place] : 0;
              all.push(list[i + 1] === 2 ? null : value + moved);
            }
          }
          return all;
        }
        function reader(row) {
          if (row.words) {
            var all = words(row);
            return function (at) { return all[at]; };
          }
          if (row.time) {
            var times = numbers(row.time);
            return function (at) { return times[at] === null ? "nil" : seconds(times[at]) + " s"; };
          }
          var bounds = row.ranges.map(numbers);
          return function (at) {
            var texts = [];
            for (var i = 0; bounds.length > i; i += 2) {
              if (bounds[i][at] === null) { continue; }
              texts.push("[" + seconds(bounds[i][at]) + ", " + seconds(bounds[i + 1][at]) + "]");
            }
            return "[" + texts.join(", ") + "]";
          };
        }
        var players = json.players.map(function (player) {
          return {
            name: player.name,
            rows: player.rows.map(function (row) { return { name: row.name, text: reader(row) }; })
          };
        });
        var sorted = Array.from(changes).sort(function (a, b) { return a - b; });
        return { instants: instants, changes: sorted, players: players };
      }

      function decimal(value, digits) {
        var unit = Math.pow(10, digits);
        var rest = String(value % unit).padStart(digits, "0").replace(/0+$/, "");
        return Math.floor(value / unit) + (rest ? "." + rest : "");
      }

      function seconds(nanoseconds) {
        var rounded = Math.floor((Math.abs(nanoseconds) + 500) / 1000);
        return (0 > nanoseconds ? (rounded ? "-" : "") : "") + decimal(rounded, 6);
      }

      // Where instants lie: evenly, but for a time that is left out.
      function timeAxis(group) {
        function numbers(text) { return text ? text.split(" ").map(Number) : []; }
        var span = numbers(group.dataset.span), gap = numbers(group.dataset.gap);
        var right = base.left + base.width;
        var knots = gap.length
          ? [[span[0], base.left], [gap[0], gap[2]], [gap[1], gap[3]], [span[1], right]]
          : [[span[0], base.left], [span[1], right]];
        function between(value, from, to) {
          for (var i = 1; knots.length > i; i += 1) {
            var low = knots[i - 1], high = knots[i];
            if (high[from] >= value || i === knots.length - 1) {
              var part = (value - low[from]) / (high[from] - low[from]);
              return low[to] + Math.min(1, Math.max(0, part)) * (high[to] - low[to]);
            }
          }
        }
        return {
          place: function (instant) { return between(instant, 0, 1); },
          instant: function (x) { return between(x, 1, 0); },
          isLeftOut: function (instant) {
            return gap.length ? instant > gap[0] ? gap[1] > instant : false : false;
          },
          end: span[1], y: numbers(group.dataset.place)
        };
      }

      // Round steps for the marks of an axis, with the unit that they are written in.
      function stepFor(least) {
        var second = 1e9, result;
        [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]].some(function (unit) {
          return [1, 2, 5, 10, 20, 50, 100, 200, 500].some(function (count) {
            if (unit[0] === second) { if (count > 20) { return false; } }
            if (least > unit[0] * count) { return false; }
            result = { step: unit[0] * count, unit: unit[0], word: unit[1] };
            if (unit[0] === 1e6) { if (count >= 100) { result.unit = second; result.word = "s"; } }
            return true;
          });
        });
        if (result) { return result; }
        [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].some(
          function (count) {
            if (least > count * second) { return false; }
            var isHour = count >= 3600, unit = isHour ? 3600 : 60 > count ? 1 : 60;
            result = {
              step: count * second, unit: unit * second,
              word: isHour ? "h" : 60 > count ? "s" : "min"
            };
            return true;
          });
        var days = Math.ceil(least / 8.64e13) * 8.64e13;
        return result || { step: days, unit: 8.64e13, word: "d" };
      }

      function svgSpace() { return document.querySelector("svg").namespaceURI; }

      function element(name, attributes, text) {
        var made = document.createElementNS(svgSpace(), name);
        Object.keys(attributes).forEach(function (key) {
          made.setAttribute(key, attributes[key]);
        });
        if (text !== undefined) { made.textContent = text; }
        return made;
      }

      function html(name, attributes, text) {
        var made = document.createElement(name);
        Object.keys(attributes).forEach(function (key) {
          made.setAttribute(key, attributes[key]);
        });
        if (text !== undefined) { made.textContent = text; }
        return made;
      }

    """#

  /// How pictures are taken apart and laid out again.
  static let drawing: StaticString = #"""

      var clipCount = 0;

      // Takes a picture apart: what moves with the time, what grows with it, and what stays.
      function picture(svg) {
        var axisGroup = svg.querySelector("g.time-axis");
        var axis = timeAxis(axisGroup);
        var height = svg.viewBox.baseVal.height;
        var grown = [], moved = [], fitted = [], still = [], marks = [], upright = [];
        var id = "p-clip-" + (clipCount += 1);
        var clipWindow = element("rect", { y: 0, height: 2 * height });
        var frame = element("rect", { y: 0, height: height });
        var defs = element("defs", {});
        [[id, clipWindow], [id + "-all", frame]].forEach(function (pair) {
          var clip = element("clipPath", { id: pair[0] });
          clip.appendChild(pair[1]);
          defs.appendChild(clip);
        });
        svg.insertBefore(defs, svg.firstChild);

        function number(node, name) { return Number(node.getAttribute(name)); }
        function anchor(node) {
          if (node.tagName === "text") { return number(node, "x"); }
          if (node.tagName === "circle") { return number(node, "cx"); }
          if (node.tagName === "rect") { return number(node, "x") + 5; }
          return Number(/^M([\d.]+)/.exec(node.getAttribute("d"))[1]);
        }
        function take(node, kind, before) {
          var name = node.tagName, classes = node.classList;
          if (name === "title") { return null; }
          var isMark = classes.contains("marker") || classes.contains("tear");
          if (name === "text" || isMark) {
            // A label keeps its distance to the sign that it names.
            var isNamed = kind === "events" ? before ? name === "text" : false : false;
            if (isNamed) { isNamed = before.classList.contains("marker"); }
            var item = { node: node, x: anchor(isNamed ? before : node) };
            if (name === "text") {
              if (114.5 > item.x || item.x === 114) { still.push(item); return null; }
              if (classes.contains("middle") ? before ? before.tagName === "rect" : false : false) {
                fitted.push({
                  node: node, x: item.x, from: number(before, "x"), width: number(before, "width")
                });
                return node;
              }
              if (kind === "events") {
                marks.push({
                  node: node, x: item.x, shift: anchor(node) - item.x,
                  y: node.getAttribute("y"),
                  isBefore: classes.contains("end"),
                  length: 5.7 * node.lastChild.textContent.length
                });
              }
            }
            moved.push(item);
            return node;
          }
          grown.push(node);
          return node;
        }
        // Bars that were too short for a word get one that is seen when they are long enough.
        function addWords(group) {
          group.querySelectorAll("rect:not(.field)").forEach(function (bar) {
            var next = bar.nextElementSibling, title = bar.querySelector("title");
            if (next ? next.tagName === "text" : !title) { return; }
            var word = /^(?:plays )?(.*) from /.exec(title ? title.textContent : "");
            if (!word) { return; }
            var isDark = /waiting|evaluating/.test(bar.getAttribute("class"));
            var isPlain = /idle|held/.test(bar.getAttribute("class"));
            var y = number(bar, "y") + number(bar, "height") / 2 + 4;
            bar.after(element("text", {
              x: number(bar, "x") + number(bar, "width") / 2, y: y,
              "class": (isDark ? "black" : isPlain ? "" : "white") + " middle"
            }, word[1] === "" ? "plays" : word[1]));
          });
        }
        var lanes = Array.from(svg.querySelectorAll("g.lane")).map(function (group) {
          var place = group.dataset.place.split(" ").map(Number);
          if (/state|plays/.test(group.dataset.kind)) { addWords(group); }
          var content = element("g", { "clip-path": "url(#" + id + ")" });
          Array.from(group.children).forEach(function (node, at, all) {
            if (take(node, group.dataset.kind, all[at - 1])) { content.appendChild(node); }
          });
          group.appendChild(content);
          return { group: group, kind: group.dataset.kind, y: place[0], height: place[1] };
        });
        lanes.forEach(function (lane, at) {
          var next = lanes[at + 1];
          lane.pitch = (next ? next.y : axis.y[1] + 6) - lane.y;
        });
        svg.querySelectorAll("g.behind, g.break").forEach(function (group) {
          var content = element("g", { "clip-path": "url(#" + id + "-all)" });
          Array.from(group.children).forEach(function (node) {
            take(node, "", null);
            if (node.tagName === "text") { return; }
            ["y", "y1", "y2", "height"].forEach(function (name) {
              if (node.hasAttribute(name)) { node.dataset[name] = node.getAttribute(name); }
            });
            upright.push(node);
            content.appendChild(node);
          });
          group.insertBefore(content, group.firstChild);
        });
        axisGroup.setAttribute("display", "none");
        var ticks = element("g", { "aria-hidden": "true" });
        axisGroup.after(ticks);
        var cursor = element("g", { "class": "p-cursor", "aria-hidden": "true" });
        svg.appendChild(cursor);
        return {
          svg: svg, axis: axis, height: height, lanes: lanes, ticks: ticks, cursor: cursor,
          grown: grown, moved: moved, fitted: fitted, still: still, marks: marks, upright: upright,
          window: clipWindow, frame: frame, legend: svg.querySelector("g.legend"),
          subtitle: svg.querySelector(":scope > text.muted")
        };
      }

      // Lays a picture out again: wider or narrower, closer, and without the lanes that are hidden.
      function layOut(shown, view) {
        var scale = view.zoom * view.width / base.width;
        var from = view.left - base.left * scale - view.pan;
        var right = view.left + view.width;
        function across(x) { return x * scale + from; }
        function translate(node, x, y) {
          node.setAttribute("transform", "translate(" + x.toFixed(2) + " " + y + ")");
        }
        function isOutside(x) { return view.left - 1 > x || x > right + 1; }
        var hidden = shown.lanes.filter(function (lane) { return view.hidden.has(lane.kind); });
        // How far up something goes by the lanes above it that are hidden.
        function lift(y) {
          return hidden.reduce(function (sum, lane) {
            return sum + Math.min(lane.pitch, Math.max(0, y - lane.y));
          }, 0);
        }
        var matrix = "matrix(" + scale + " 0 0 1 " + from.toFixed(3) + " 0)";
        shown.grown.forEach(function (node) { node.setAttribute("transform", matrix); });
        shown.moved.forEach(function (item) { translate(item.node, across(item.x) - item.x, 0); });
        shown.still.forEach(function (item) { translate(item.node, view.left - base.left, 0); });
        shown.fitted.forEach(function (item) {
          var start = Math.max(view.left, across(item.from));
          var end = Math.min(right, across(item.from + item.width));
          var room = 5.9 * item.node.lastChild.textContent.length + 6;
          item.node.setAttribute("display", room > end - start ? "none" : "inline");
          translate(item.node, (start + end) / 2 - item.x, 0);
        });
        var free = {};
        shown.marks.forEach(function (mark) {
          var x = across(mark.x) + mark.shift, start = mark.isBefore ? x - mark.length : x;
          var isFree = start >= (free[mark.y] || 0);
          if (isFree) { free[mark.y] = start + mark.length + 8; }
          mark.node.setAttribute("display", isFree ? "inline" : "none");
        });
        shown.lanes.forEach(function (lane) {
          var isHidden = view.hidden.has(lane.kind);
          lane.group.setAttribute("display", isHidden ? "none" : "inline");
          translate(lane.group, 0, -lift(lane.y));
        });
        shown.upright.forEach(function (node) {
          var data = node.dataset;
          if (data.height !== undefined) {
            var top = Number(data.y), bottom = top + Number(data.height);
            node.setAttribute("y", top - lift(top));
            node.setAttribute("height", Math.max(0, bottom - lift(bottom) - top + lift(top)));
          }
          ["y1", "y2"].forEach(function (name) {
            if (data[name] !== undefined) {
              node.setAttribute(name, Number(data[name]) - lift(Number(data[name])));
            }
          });
        });
        var top = shown.axis.y[0], bottom = shown.axis.y[1], gone = lift(bottom);
        [shown.window, shown.frame].forEach(function (clip) {
          clip.setAttribute("x", view.left - 5.5);
          clip.setAttribute("width", view.width + 11);
        });
        shown.frame.setAttribute("height", bottom - gone);
        shown.svg.querySelectorAll("g.break text").forEach(function (label) {
          var x = Number(label.getAttribute("x")), isLow = Number(label.getAttribute("y")) > bottom;
          label.setAttribute("display", isOutside(across(x)) ? "none" : "inline");
          translate(label, across(x) - x, isLow ? -gone : 0);
        });
        drawTicks(shown, view, across, bottom - gone);
        var extra = layOutLegend(shown, view, gone);
        if (shown.subtitle) {
          shown.subtitle.setAttribute("display", 900 > view.total ? "none" : "inline");
        }
        var height = shown.height - gone + extra;
        shown.svg.setAttribute("viewBox", "0 0 " + view.total + " " + height);
        shown.svg.setAttribute("width", view.total);
        shown.svg.setAttribute("height", height);
        shown.across = across;
        shown.top = top;
        shown.bottom = bottom - gone;
      }

      function drawTicks(shown, view, across, bottom) {
        var right = view.left + view.width, axis = shown.axis, top = axis.y[0];
        var scale = view.zoom * view.width / base.width;
        var low = axis.instant(base.left + view.pan / scale);
        var dense = axis.instant(base.left + (view.pan + 80) / scale) - low;
        var mark = stepFor(Math.max(1, dense)), parts = [], last = -1e9;
        var high = axis.instant(base.left + (view.pan + view.width) / scale);
        for (var i = Math.ceil(low / mark.step), n = 0; high >= i * mark.step; i += 1) {
          if ((n += 1) > 200) { break; }
          var instant = i * mark.step, x = across(axis.place(instant));
          if (axis.isLeftOut(instant) || 55 > x - last) { continue; }
          last = x;
          parts.push(element("line", { x1: x, x2: x, y1: top, y2: bottom, "class": "grid" }));
          var text = Number((instant / mark.unit).toFixed(6)) + " " + mark.word;
          var isEnd = x + 24 > right + base.right;
          [top - 7, bottom + 15].forEach(function (y) {
            parts.push(element("text", {
              x: isEnd ? right + base.right - 4 : x, y: y,
              "class": "muted " + (isEnd ? "end" : "middle")
            }, text));
          });
        }
        shown.ticks.replaceChildren.apply(shown.ticks, parts);
      }

      // Breaks the lines of the legend where a narrow page ends; returns how much higher it gets.
      function layOutLegend(shown, view, gone) {
        var x = view.total >= 960 ? base.left : 8, y = 0, start = null, first = null, pair = [];
        var limit = view.total - 8, origin = x;
        Array.from(shown.legend.children).forEach(function (node) {
          pair.push(node);
          if (node.tagName !== "text") { return; }
          var own = Number(node.getAttribute("x")) - (pair.length > 1 ? 19 : 0);
          var width = 5.9 * node.textContent.length + (pair.length > 1 ? 34 : 12);
          if (first === null) { first = Number(node.getAttribute("y")); }
          if (x > origin) { if (x + width > limit) { x = origin; y += 17; } }
          var up = first - Number(node.getAttribute("y"));
          pair.forEach(function (part) {
            part.setAttribute("transform", "translate(" + (x - own) + " " + (y + up - gone) + ")");
          });
          x += width;
          pair = [];
        });
        return Math.max(0, y - 17);
      }

    """#
}
