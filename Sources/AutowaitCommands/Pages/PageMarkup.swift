/// What stands in the page in which scenarios run before its script fills it.
enum PageMarkup {
  /// What is in its body.
  static let body = #"""
    <header>
    <h1>Autowait</h1>
    <p class="lead">Draw the network, press play, see why a player waits.</p>
    <button id="same" type="button" aria-haspopup="dialog">checking…</button>
    <button id="help" type="button" aria-label="Keys" title="Keys">?</button>
    </header>
    <nav id="tabs" role="tablist" aria-label="Scenarios"></nav>
    <main>
    <section id="stage" role="tabpanel" aria-labelledby="title">
    <div id="acts" role="group" aria-label="Acts"></div>
    <h2 id="title"></h2>
    <p id="about"></p>
    <div class="bar" role="toolbar" aria-label="Playback">
    <button type="button" data-step="play" class="strong">play</button>
    <button type="button" data-step="playImmediately">playImmediately</button>
    <button type="button" data-step="pause">pause</button>
    <span class="pair"><button type="button" data-step="seek">seek to</button>
    <input id="seek" value="20 s" aria-label="Where to seek" size="6"></span>
    <span class="pair"><button type="button" id="outage">outage</button>
    <input id="outage-length" value="5 s" aria-label="Length of the outage" size="6"></span>
    <span class="gap"></span>
    <button type="button" id="undo">undo</button>
    <button type="button" id="reset">start again</button>
    <span class="pair"><button type="button" id="watch" aria-pressed="false">watch</button>
    <select id="pace" aria-label="Pace"><option value="1">1 ×</option>
    <option value="4">4 ×</option><option value="40">40 ×</option></select></span>
    </div>
    <div id="frame" tabindex="0" role="slider" aria-label="Time" aria-valuemin="0">
    <canvas id="picture"></canvas>
    </div>
    <p class="hint">Drag in the lane of the link to draw its rate; tap elsewhere to move the cursor,
    at which buttons act. <span id="zooms"><button type="button" data-zoom="2">closer</button>
    <button type="button" data-zoom="0.5">wider</button>
    <button type="button" data-zoom="0">all</button></span></p>
    <div id="findings" role="alert"></div>
    <div id="reading" aria-live="polite"></div>
    <div class="panels">
    <fieldset id="network"><legend>Network</legend>
    <label>Link <select id="link"></select></label>
    <label>Round trip <input id="round-trip" size="8"></label>
    <label>Top of the scale <select id="scale"></select></label>
    </fieldset>
    <fieldset id="rule-a"><legend>Rule</legend></fieldset>
    <fieldset id="rule-b"><legend>Beside it</legend></fieldset>
    <fieldset id="media"><legend>Media</legend></fieldset>
    <fieldset id="steps"><legend>Steps</legend></fieldset>
    </div>
    <h3>What happened, and why</h3>
    <div id="story"></div>
    <details id="numbers"><summary>Metrics and expectations</summary><div></div></details>
    </section>
    <section id="trial" hidden>
    <h2 id="trial-title"></h2>
    <p id="trial-about"></p>
    <div class="bar"><button type="button" id="trial-run" class="strong">run</button>
    <progress id="progress" value="0" max="1" aria-label="Sessions"></progress>
    <output id="trial-count"></output></div>
    <div id="trial-findings" role="alert"></div>
    <div id="front">
    <canvas id="points" role="img" aria-label="Startup against stalls"></canvas></div>
    <div id="contestants"></div>
    </section>
    <section id="text">
    <h3>JSON</h3>
    <p class="hint">This is the whole truth: each change edits it, and it runs again from 0.
    <span id="command"></span></p>
    <div class="bar"><button type="button" id="copy" class="strong">copy JSON</button>
    <button type="button" id="copy-other" hidden>copy JSON of the other rule</button>
    <button type="button" id="copy-link">copy link</button>
    <button type="button" id="save">save file</button>
    <button type="button" id="open">open file</button>
    <input id="file" type="file" multiple hidden accept=".json,.csv,.txt,.m3u8">
    <span id="copied" role="status"></span></div>
    <textarea id="json" spellcheck="false" aria-label="JSON" rows="18"></textarea>
    </section>
    </main>
    <footer id="footer"></footer>
    <dialog id="sheet"><form method="dialog"><div id="sheet-body"></div>
    <button class="strong">close</button></form></dialog>
    """#

  /// How it looks, beside the colours that all pages have.
  static let style = #"""
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:1240px;padding:0 16px 40px;background:var(--paper);
    color:var(--ink);font:15px/1.45 system-ui,-apple-system,
    'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;
    font-variant-numeric:tabular-nums}
    header{display:flex;align-items:center;gap:12px;padding:12px 0 8px}
    h1{font-size:20px;margin:0}
    .lead{margin:0;flex:1;color:var(--muted)}
    h2{font-size:18px;margin:10px 0 2px}
    h3{font-size:15px;margin:20px 0 6px}
    p{margin:4px 0 8px}
    #about,#trial-about,.hint{color:var(--muted);max-width:90ch}
    .hint{font-size:13px}
    button,input,select,textarea{font:inherit;color:var(--ink);background:var(--paper);
    border:1px solid var(--neutral);border-radius:6px;padding:5px 10px;min-height:34px}
    button{cursor:pointer;background:var(--field)}
    button:disabled{opacity:.5;cursor:default}
    ::placeholder{color:var(--muted);opacity:1}
    #zooms{white-space:nowrap}
    button:hover{border-color:var(--ink)}
    button.strong{background:var(--edge);color:var(--paper);border-color:var(--edge)}
    button[aria-pressed=true],button[aria-selected=true]{background:var(--ink);color:var(--paper);
    border-color:var(--ink)}
    button.is-good{border-color:var(--playing)}
    button.is-bad{border-color:var(--alarm);color:var(--alarm)}
    :focus-visible{outline:3px solid var(--c5);outline-offset:1px}
    #tabs,#acts{display:flex;flex-wrap:wrap;gap:6px}
    #tabs{border-bottom:1px solid var(--frame);padding-bottom:8px}
    #acts{padding-top:10px}
    #acts:empty{display:none}
    #acts button{border-radius:17px}
    .bar{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:8px 0}
    .gap{flex:1}
    .pair{display:inline-flex}
    .pair>*{border-radius:0}
    .pair>:first-child{border-radius:6px 0 0 6px}
    .pair>:last-child{border-radius:0 6px 6px 0;border-left:0}
    .pair input{width:64px}
    #frame{position:relative;touch-action:pan-y;cursor:crosshair;border-radius:4px}
    #picture,#points{display:block;width:100%}
    #points{height:340px}
    #zooms button{min-height:26px;padding:1px 8px;font-size:12px}
    #findings,#trial-findings{white-space:pre-wrap;
    font:12.5px/1.4 ui-monospace,Menlo,Consolas,monospace;
    color:var(--alarm);overflow-x:auto}
    #findings:not(:empty),#trial-findings:not(:empty){border-left:4px solid var(--alarm);
    padding:6px 10px;background:var(--bad)}
    table{border-collapse:collapse;width:100%;font-size:13.5px}
    th,td{text-align:left;padding:3px 10px 3px 0;vertical-align:top;
    border-bottom:1px solid var(--grid)}
    th{font-weight:600}
    td.number,th.number{text-align:right}
    .wide{overflow-x:auto}
    #story{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr))}
    #story table{font-size:13px}
    #story .scroll{max-height:330px;overflow-y:auto}
    #story h4{margin:0 0 4px;font-size:13.5px}
    #story tr{cursor:pointer}
    #story tr:hover td,#story tr.is-now td{background:var(--field)}
    #story tr.is-now td:first-child{box-shadow:inset 3px 0 0 var(--alarm)}
    #story td:first-child{white-space:nowrap;text-align:right;padding-left:8px}
    .is-alarm{color:var(--alarm);font-weight:600}
    .panels{display:grid;gap:10px;margin-top:12px;
    grid-template-columns:repeat(auto-fit,minmax(min(100%,230px),1fr))}
    fieldset{border:1px solid var(--frame);border-radius:8px;padding:6px 10px 10px;
    margin:0;min-width:0}
    legend{font-weight:600;padding:0 4px}
    fieldset label{display:flex;align-items:center;justify-content:space-between;gap:8px;
    margin:5px 0;font-size:13.5px}
    fieldset label>span{min-width:0;overflow-wrap:anywhere}
    fieldset input{width:92px;flex:none}
    fieldset select{max-width:150px;min-width:0}
    fieldset .row{display:flex;gap:6px;align-items:center;margin:5px 0;font-size:13.5px}
    fieldset .row span{flex:1;min-width:0;overflow-wrap:anywhere}
    fieldset .row button{min-height:30px;padding:2px 9px}
    fieldset p{font-size:12.5px;color:var(--muted);margin:4px 0}
    #json{width:100%;font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace;tab-size:2}
    #copied{color:var(--muted);font-size:13px}
    code{font:12.5px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
    progress{flex:1;min-width:120px;accent-color:var(--edge)}
    dialog{border:1px solid var(--frame);border-radius:10px;background:var(--paper);
    color:var(--ink);max-width:min(720px,94vw);max-height:90vh}
    dialog button{margin-top:10px}
    dialog::backdrop{background:rgb(0 0 0 / 50%)}
    kbd{font:12px ui-monospace,Menlo,Consolas,monospace;border:1px solid var(--neutral);
    border-radius:4px;padding:0 5px}
    footer{margin-top:24px;color:var(--muted);font-size:12.5px}
    body.is-over{outline:4px dashed var(--edge);outline-offset:-8px}
    @media (max-width:640px){.lead,.gap{display:none}header{justify-content:space-between}
    h1{flex:1}.bar button,.bar input,.bar select{padding:5px 8px}body{padding:0 10px 30px}}
    @media (pointer:coarse){button,input,select{min-height:40px}}
    @media (prefers-reduced-motion:no-preference){button{transition:border-color .15s}}
    """#
}
