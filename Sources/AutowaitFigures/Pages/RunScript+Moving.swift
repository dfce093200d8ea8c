extension RunScript {
  /// The cursor, the panel and the tools, and what keys and pointers do.
  static let moving: StaticString = #"""

      var keys = [
        ["← →", "to the change before or after"], [", .", "a little back or forth"],
        ["Home End", "to the start or the end"], ["+ −", "closer, or farther away"],
        ["Shift ← →", "moves what is shown"], ["0", "shows the whole run"],
        ["↑ ↓", "to the request before or after, in the list of requests"],
        ["Ctrl wheel, pinch", "closer, or farther away"],
        ["drag", "moves the cursor; with Shift, or at the axis, what is shown"],
        ["?", "opens this list"], ["Esc", "closes it"]
      ];

      function explore(run) {
        var source = run.querySelector(".p-data");
        var data = decode(JSON.parse(source.textContent));
        var view = { zoom: 1, pan: 0, hidden: new Set() };
        var at = 0, isMoved = false, isPrinted = false, isTold = false;
        var shown = Array.from(run.querySelectorAll(".p-figure svg")).map(picture);
        var main = shown[0];
        run.classList.add("p-live");

        // The panel with what is read at the cursor.
        var panel = html("div", { "class": "p-at", role: "region" });
        panel.setAttribute("aria-label", "What is read at the time of the cursor");
        var said = html("output", { "aria-live": "polite" });
        var table = html("table", {}), cells = [];
        var hasNames = data.players.length > 1;
        if (hasNames) {
          var head = html("tr", {});
          head.appendChild(html("td", {}));
          data.players.forEach(function (player) {
            head.appendChild(html("th", { scope: "col" }, player.name));
          });
          var top = html("thead", {});
          top.appendChild(head);
          table.appendChild(top);
        } else { table.className = "p-flow"; }
        var names = [];
        data.players.forEach(function (player) {
          player.rows.forEach(function (row) {
            if (!names.includes(row.name)) { names.push(row.name); }
          });
        });
        var body = html("tbody", {});
        names.forEach(function (name) {
          var line = html("tr", {});
          line.appendChild(html("th", { scope: "row" }, name));
          data.players.forEach(function (player) {
            var cell = html("td", {});
            var row = player.rows.find(function (row) { return row.name === name; });
            cells.push({ node: cell, row: row });
            line.appendChild(cell);
          });
          body.appendChild(line);
        });
        table.appendChild(body);
        panel.appendChild(said);
        panel.appendChild(table);

        // The keys, in a window of their own.
        var dialog = html("dialog", { "class": "p-keys", "aria-label": "Keys" });
        dialog.appendChild(html("h2", {}, "Keys"));
        var list = html("dl", {});
        keys.forEach(function (pair) {
          list.appendChild(html("dt", {}, pair[0]));
          list.appendChild(html("dd", {}, pair[1]));
        });
        dialog.appendChild(list);
        dialog.appendChild(button("Close", "Closes the list", function () { dialog.close(); }));

        function button(text, label, act) {
          var made = html("button", { type: "button", title: label, "aria-label": label }, text);
          made.addEventListener("click", act);
          return made;
        }
        function openKeys() { if (!dialog.open) { dialog.showModal(); } }

        var tools = html("div", { "class": "p-tools", role: "toolbar" });
        tools.setAttribute("aria-label", "Time and lanes");
        [
          ["|◀", "To the start", function () { moveTo(0); }],
          ["◀", "To the change before", function () { moveBy(-1); }],
          ["▶", "To the change after", function () { moveBy(1); }],
          ["▶|", "To the end", function () { moveTo(data.instants.length - 1); }],
          ["−", "Farther away", function () { zoomAt(cursorX(), 1 / 1.5); }],
          ["+", "Closer", function () { zoomAt(cursorX(), 1.5); }],
          ["0", "The whole run", reset], ["?", "Keys", openKeys]
        ].forEach(function (tool) { tools.appendChild(button(tool[0], tool[1], tool[2])); });
        var kinds = [];
        main.lanes.forEach(function (lane) {
          if (lane.kind === "name" || kinds.includes(lane.kind)) { return; }
          kinds.push(lane.kind);
          var toggle = html("button", { type: "button", "aria-pressed": "true" }, lane.kind);
          toggle.className = "p-lane";
          toggle.addEventListener("click", function () {
            var isShown = view.hidden.delete(lane.kind);
            if (!isShown) { view.hidden.add(lane.kind); }
            toggle.setAttribute("aria-pressed", String(isShown));
            draw();
          });
          tools.appendChild(toggle);
        });
        var holder = main.svg.closest(".p-figures");
        holder.before(tools);
        holder.after(panel);
        run.appendChild(dialog);

        function measure() {
          var total = isPrinted ? 1000 : Math.max(300, Math.min(1048, run.clientWidth || 1000));
          view.total = total;
          view.left = 600 > total ? 108 : base.left;
          view.width = total - view.left - base.right;
          view.pan = Math.min(Math.max(0, view.pan), view.width * (view.zoom - 1));
        }
        function draw() {
          measure();
          shown.forEach(function (one) { layOut(one, view); });
          drawCursor();
        }
        function cursorX() { return main.across(main.axis.place(data.instants[at])); }
        function drawCursor() {
          var x = cursorX(), isSeen = x >= view.left - 1;
          if (x > view.left + view.width + 1) { isSeen = false; }
          shown.forEach(function (one) {
            if (!isSeen || !isMoved) { one.cursor.replaceChildren(); return; }
            one.cursor.replaceChildren(
              element("line", { x1: x, x2: x, y1: one.top - 3, y2: one.bottom }),
              element("path", { d: "M" + (x - 5) + " " + (one.top - 8) + "h10l-5 7z" }));
          });
        }
        function tell() {
          said.textContent = "at " + decimal(data.instants[at], 9) + " s";
          cells.forEach(function (cell) {
            var last = cell.node.textContent, text = cell.row ? cell.row.text(at) : "";
            cell.node.textContent = text;
            cell.node.className = isMoved ? last === text ? "" : "p-new" : "";
          });
        }
        function moveTo(index, isQuiet) {
          at = Math.min(Math.max(0, index), data.instants.length - 1);
          isMoved = true;
          panel.classList.add("p-used");
          said.setAttribute("aria-live", isQuiet ? "off" : "polite");
          var x = cursorX(), right = view.left + view.width;
          if (view.left > x || x > right) {
            view.pan += x - (view.left + right) / 2;
            draw();
          } else { drawCursor(); }
          tell();
          share({ instant: data.instants[at] });
        }
        // Runs on one page have one axis of time: what is done to one is done to all of them.
        function share(news) {
          if (isTold) { return; }
          news.from = run;
          document.dispatchEvent(new CustomEvent("p-shared", { detail: news }));
        }
        document.addEventListener("p-shared", function (event) {
          var news = event.detail;
          if (news.from === run) { return; }
          isTold = true;
          if (news.zoom) {
            view.zoom = news.zoom;
            view.pan = news.pan;
            draw();
          } else { moveTo(nearestTo(news.instant), true); }
          isTold = false;
        });
        function moveBy(way) {
          var list = data.changes;
          var next = way > 0
            ? list.find(function (index) { return index > at; })
            : list.slice().reverse().find(function (index) { return at > index; });
          if (next !== undefined) { moveTo(next); }
        }
        // Returns the number of the instant that is nearest to a place.
        function nearest(x) {
          var scale = view.zoom * view.width / base.width;
          var wanted = main.axis.instant((x - view.left + view.pan) / scale + base.left);
          return nearestTo(wanted);
        }
        function nearestTo(wanted) {
          var low = 0, high = data.instants.length - 1;
          while (high - low > 1) {
            var middle = (low + high) >> 1;
            if (data.instants[middle] > wanted) { high = middle; } else { low = middle; }
          }
          return wanted - data.instants[low] > data.instants[high] - wanted ? high : low;
        }
        function zoomAt(x, factor) {
          var zoom = Math.min(closest, Math.max(1, view.zoom * factor));
          x = Math.min(Math.max(x, view.left), view.left + view.width);
          view.pan = (view.pan + x - view.left) * zoom / view.zoom - (x - view.left);
          view.zoom = zoom;
          draw();
          shareView();
        }
        function shareView() { share({ zoom: view.zoom, pan: view.pan }); }
        function panBy(pixels) { view.pan += pixels; draw(); shareView(); }
        function reset() { view.zoom = 1; view.pan = 0; draw(); shareView(); }

        shown.forEach(function (one) { listen(one); });
        function listen(one) {
          var pointers = new Map(), isPan = false, isHeld = false;
          function where(event) {
            var box = one.svg.getBoundingClientRect();
            return {
              x: (event.clientX - box.left) * view.total / box.width,
              y: (event.clientY - box.top) * view.total / box.width
            };
          }
          one.svg.addEventListener("pointerdown", function (event) {
            var spot = where(event);
            if (event.button > 0 || view.left - 6 > spot.x || spot.y > one.bottom + 22) { return; }
            pointers.set(event.pointerId, spot);
            one.svg.setPointerCapture(event.pointerId);
            isHeld = true;
            isPan = event.shiftKey || one.top > spot.y || spot.y > one.bottom || pointers.size > 1;
            if (!isPan) { moveTo(nearest(spot.x), true); }
          });
          one.svg.addEventListener("pointermove", function (event) {
            if (!isHeld || !pointers.has(event.pointerId)) { return; }
            var spot = where(event), last = pointers.get(event.pointerId);
            if (pointers.size > 1) {
              var other;
              pointers.forEach(function (point, id) {
                if (id !== event.pointerId) { other = point; }
              });
              var before = Math.abs(last.x - other.x), now = Math.abs(spot.x - other.x);
              panBy((last.x - spot.x) / 2);
              if (before > 8) { zoomAt((spot.x + other.x) / 2, now / before); }
            } else if (isPan) { panBy(last.x - spot.x); } else { moveTo(nearest(spot.x), true); }
            pointers.set(event.pointerId, spot);
          });
          ["pointerup", "pointercancel"].forEach(function (name) {
            one.svg.addEventListener(name, function (event) {
              pointers.delete(event.pointerId);
              isHeld = pointers.size > 0;
            });
          });
          one.svg.addEventListener("wheel", function (event) {
            if (event.ctrlKey) {
              event.preventDefault();
              zoomAt(where(event).x, Math.pow(1.002, -event.deltaY));
            } else if (view.zoom > 1) {
              var across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
              if (across) { event.preventDefault(); panBy(across); }
            }
          }, { passive: false });
        }

        function onKey(event) {
          if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) { return; }
          var target = event.target, row = target.closest ? target.closest(".request") : null;
          var isRow = row ? /^Arrow(Up|Down)$/.test(event.key) : false;
          if (isRow) {
            var rows = Array.from(run.querySelectorAll(".request"));
            var next = rows[rows.indexOf(row) + (event.key === "ArrowUp" ? -1 : 1)];
            if (next) {
              row.setAttribute("tabindex", "-1");
              next.setAttribute("tabindex", "0");
              next.focus();
            }
            event.preventDefault();
            return;
          }
          var act = {
            ArrowLeft: function () { if (event.shiftKey) { panBy(-80); } else { moveBy(-1); } },
            ArrowRight: function () { if (event.shiftKey) { panBy(80); } else { moveBy(1); } },
            Home: function () { moveTo(0); },
            End: function () { moveTo(data.instants.length - 1); },
            ",": function () { moveTo(at - 1); }, ".": function () { moveTo(at + 1); },
            "+": function () { zoomAt(cursorX(), 1.5); },
            "=": function () { zoomAt(cursorX(), 1.5); },
            "-": function () { zoomAt(cursorX(), 1 / 1.5); }, "0": reset
          }[event.key];
          if (!act) { return; }
          event.preventDefault();
          act();
        }
        run.addEventListener("keydown", onKey);
        document.addEventListener("keydown", function (event) {
          // Of several runs on the page one shows the list.
          if (event.key === "?") { if (document.querySelector(".p-run") === run) { openKeys(); } }
        });
        window.addEventListener("resize", draw);
        window.addEventListener("beforeprint", function () {
          isPrinted = true;
          view.kept = [view.zoom, view.pan];
          view.zoom = 1;
          draw();
        });
        window.addEventListener("afterprint", function () {
          isPrinted = false;
          view.zoom = view.kept[0];
          view.pan = view.kept[1];
          draw();
        });
        main.svg.closest(".p-figure").setAttribute("aria-label",
          "The run in lanes over time. The arrow keys move a cursor from change to change.");
        draw();
        tell();
        // A page can be linked to at an instant: #at=8.16
        var link = /^#at=([\d.]+)$/.exec(location.hash);
        if (link) {
          // Every run reads the link by itself.
          isTold = true;
          moveTo(nearestTo(Number(link[1]) * 1e9));
          isTold = false;
        }
      }

      document.querySelectorAll(".p-run").forEach(explore);
    })();

    """#
}
