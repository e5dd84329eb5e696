// The picture and what one can do with it: select, search, hide kinds, show what is past, zoom, drag.
// What is chosen is in `state` alone; `refresh` makes the picture agree with it. Nothing is kept or sent.

var dark = window.matchMedia("(prefers-color-scheme: dark)");
var calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
var state = { selected: null, past: false, hidden: {}, hits: [], at: 0 };

// Kinds without a colour of their own are one group, "other".
var colours = { user: data.user, other: data.other };
data.kinds.forEach(function (one) {
  if (one.colour[0] !== data.other[0]) { colours["kind " + one.kind] = one.colour; }
});

function kindOf(id) {
  var kind = "kind " + data.kindOf[id];
  return id === 0 ? "user" : colours[kind] ? kind : "other";
}

function colourOf(id) { return colours[kindOf(id)][dark.matches ? 1 : 0]; }

function token(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

/** A label in lines of at most some 9 Chinese or 18 other characters, three lines at most. */
function label(node) {
  var lines = [], line = "", width = 0;
  Array.from(short(nameOf(node), 48)).forEach(function (character) {
    var wide = character.codePointAt(0) >= 0x1100 ? 2 : 1;
    if (width + wide > 20 || (character === " " && width > 12)) {
      lines.push(line.trim());
      line = ""; width = 0;
    }
    line += character;
    width += wide;
  });
  lines.push(line.trim());
  return lines.length > 3 ? lines.slice(0, 3).join("\n") + "…" : lines.join("\n");
}

// How many links a node has, and how many of them are not past.
var degrees = data.nodes.map(function () { return 0; }), currents = degrees.slice();
data.links.forEach(function (link) {
  [link.from, link.to].forEach(function (id) {
    degrees[id] += 1;
    currents[id] += isPast(link) ? 0 : 1;
  });
});

function sizeOf(id) { return id === 0 ? 46 : Math.min(18 + 4.5 * Math.sqrt(degrees[id]), 40); }

var ink = document.createElement("canvas").getContext("2d");

/** The body of a node for the layout: its disc with the label below. */
function bodyOf(node) {
  var size = sizeOf(node.id);
  var lines = label(node).split("\n");
  ink.font = (node.id === 0 ? "700 16px " : "500 14px ") + token("--face");
  var widest = Math.max.apply(null, lines.map(function (line) { return ink.measureText(line).width; }));
  var below = 6 + 19 * lines.length;
  return { w: Math.max(size, widest) + 16, h: size + below + 12, drop: below, degree: 1 + degrees[node.id], held: false };
}

var bodies = data.nodes.map(bodyOf);
var springs = data.links.filter(function (link) { return link.from !== link.to; }).map(function (link) {
  var few = Math.min(degrees[link.from], degrees[link.to]);
  ink.font = "11px " + token("--face");
  var room = Math.min(ink.measureText(short(spoken(link.relation), 24)).width, 130);
  return { a: link.from, b: link.to, length: 52 + 0.9 * room + 4 * few, room: room + 62, force: 0.9 / (1 + Math.sqrt(few)) };
});
var aspect = Math.max(0.5, Math.min(window.innerWidth / window.innerHeight, 2));
settle(bodies, springs, aspect);

var elements = data.nodes.map(function (node) {
  return { group: "nodes", data: { id: "n" + node.id, at: node.id, label: label(node), size: sizeOf(node.id) }, position: { x: bodies[node.id].x, y: bodies[node.id].y } };
}).concat(data.links.map(function (link, at) {
  return {
    group: "edges", classes: isPast(link) ? "past" : "",
    data: { id: "e" + at, at: at, source: "n" + link.from, target: "n" + link.to, label: short(spoken(link.relation), 24) }
  };
}));

function look() {
  var ground = token("--ground"), text = token("--text"), soft = token("--soft"), edge = token("--edge"), accent = token("--accent"), face = token("--face");
  return [
    { selector: "node", style: {
      width: "data(size)", height: "data(size)", label: "data(label)",
      "background-color": function (node) { return colourOf(node.data("at")); },
      "border-width": 3, "border-color": ground, "font-family": face, "font-size": 14, "font-weight": 500, color: text,
      "text-wrap": "wrap", "text-max-width": "400px", "text-valign": "bottom", "text-margin-y": 5, "line-height": 1.3,
      "text-outline-color": ground, "text-outline-width": 2.5, "min-zoomed-font-size": 6, "overlay-opacity": 0
    } },
    { selector: "#n0", style: { "font-size": 16, "font-weight": 700 } },
    { selector: "edge", style: {
      width: 1.5, "line-color": edge, "target-arrow-color": edge, "target-arrow-shape": "triangle", "arrow-scale": 0.85,
      "curve-style": "bezier", "control-point-step-size": 44, label: "data(label)", "font-family": face, "font-size": 11, color: soft,
      "text-rotation": "autorotate", "text-background-color": ground, "text-background-opacity": 0.9, "text-background-padding": 2,
      "text-background-shape": "roundrectangle", "min-zoomed-font-size": 7.5, "overlay-opacity": 0, "loop-direction": "-45deg"
    } },
    { selector: ".past", style: { "line-style": "dashed", "line-dash-pattern": [6, 5], opacity: 0.75 } },
    { selector: ".gone", style: { display: "none" } },
    { selector: ".dim", style: { opacity: 0.13 } },
    { selector: "edge.near", style: { width: 2.2, "line-color": accent, "target-arrow-color": accent, color: text, "z-index": 5, opacity: 1, "min-zoomed-font-size": 5 } },
    { selector: "node.hit", style: { "border-color": accent, "border-width": 3 } },
    { selector: "node.chosen", style: { "border-color": accent, "border-width": 4, "z-index": 9 } },
    { selector: "core", style: { "active-bg-opacity": 0 } }
  ];
}

var view = cytoscape({
  container: byId("picture"), elements: elements, layout: { name: "preset" }, style: look(),
  minZoom: 0.08, maxZoom: 3.5, boxSelectionEnabled: false, autounselectify: true
});

/** Adds a class to what passes, takes it from all else. */
function mark(name, list, passes) {
  list.forEach(function (one) { one.toggleClass(name, passes(one)); });
}

function isHidden(id) { return state.hidden[kindOf(id)] === true; }

/** Nodes that only past facts speak of are shown with those. */
function isOnlyPast(id) {
  return !state.past && id !== 0 && id !== state.selected && degrees[id] > 0 && currents[id] === 0;
}

function refresh() {
  var chosen = state.selected, searching = state.hits.length > 0;
  view.batch(function () {
    mark("gone", view.nodes(), function (node) { return isHidden(node.data("at")) || isOnlyPast(node.data("at")); });
    mark("gone", view.edges(), function (edge) { return !state.past && edge.hasClass("past"); });
    mark("near", view.edges(), function (edge) {
      var link = data.links[edge.data("at")];
      return chosen !== null && (link.from === chosen || link.to === chosen);
    });
    mark("chosen", view.nodes(), function (node) { return node.data("at") === chosen; });
    mark("hit", view.nodes(), function (node) { return state.hits.indexOf(node.data("at")) >= 0; });
    var near = chosen === null ? view.collection() : view.$id("n" + chosen).closedNeighborhood();
    mark("dim", view.elements(), function (one) {
      if (searching) { return one.isEdge() || !one.hasClass("hit"); }
      return chosen !== null && !near.contains(one);
    });
  });
}

/** The part of the window that no card covers. */
function frame() {
  var narrow = window.innerWidth <= 720, open = state.selected !== null;
  return {
    left: narrow ? 12 : byId("legend").offsetWidth + 36, top: byId("bar").offsetHeight + 34,
    right: window.innerWidth - (open && !narrow ? 404 : 24),
    bottom: window.innerHeight - (open && narrow ? byId("panel").offsetHeight + 16 : narrow ? 24 : 60)
  };
}

function move(zoom, pan) {
  if (calm) { view.viewport({ zoom: zoom, pan: pan }); return; }
  view.stop();
  view.animate({ zoom: zoom, pan: pan }, { duration: 260, easing: "ease-out-cubic" });
}

/** Zooms so that all of `list` is in the free part of the window. */
function fit(list, most, at_once) {
  var box = list.boundingBox({ includeOverlays: false }), free = frame();
  if (!list.length || !box.w) { return; }
  var zoom = Math.max(view.minZoom(), Math.min((free.right - free.left) / box.w, (free.bottom - free.top) / box.h, most));
  var pan = {
    x: (free.left + free.right) / 2 - zoom * (box.x1 + box.x2) / 2,
    y: (free.top + free.bottom) / 2 - zoom * (box.y1 + box.y2) / 2
  };
  if (at_once) { view.viewport({ zoom: zoom, pan: pan }); } else { move(zoom, pan); }
}

function fitAll(at_once) { fit(view.elements().not(".gone"), 1.4, at_once === true); }

/** Brings a node and its neighbours into the free part of the window if some are outside. */
function reveal(id) {
  var near = view.$id("n" + id).closedNeighborhood().not(".gone");
  var box = near.renderedBoundingBox({ includeOverlays: false }), free = frame();
  if (box.x1 >= free.left && box.x2 <= free.right && box.y1 >= free.top && box.y2 <= free.bottom) { return; }
  fit(near, Math.max(view.zoom(), 1));
}

function select(id) {
  state.selected = id;
  state.hits = [];
  byId("hits").hidden = true;
  if (id !== null && isHidden(id)) { delete state.hidden[kindOf(id)]; legend(); }
  byId("panel").hidden = id === null;
  document.body.classList.toggle("open", id !== null);
  refresh();
  if (id === null) { return; }
  byId("about").replaceChildren.apply(byId("about"), about(id, state.past, select, colourOf));
  byId("panel").scrollTop = 0;
  reveal(id);
}

/** Nodes that a search finds: names first, then aliases and properties, then sentences. */
function find(query) {
  var wanted = query.trim().toLowerCase(), found = [];
  if (!wanted) { return found; }
  function add(id, why, rank) {
    if (!found.some(function (one) { return one.id === id; })) { found.push({ id: id, why: why, rank: rank }); }
  }
  function has(text) { return text.toLowerCase().indexOf(wanted) >= 0; }
  data.nodes.forEach(function (node) {
    if (has(node.name)) { add(node.id, "", node.name.toLowerCase().indexOf(wanted) === 0 ? 0 : 1); }
  });
  data.nodes.forEach(function (node) {
    node.aliases.filter(has).forEach(function (alias) { add(node.id, alias, 2); });
    node.properties.forEach(function (one) { if (has(one.value)) { add(node.id, spoken(one.name) + ": " + one.value, 2); } });
    if (has(node.kind)) { add(node.id, node.kind, 3); }
  });
  data.links.forEach(function (link) {
    if (has(link.content) || has(spoken(link.relation))) { add(link.to, link.content, 4); add(link.from, link.content, 4); }
  });
  return found.sort(function (a, b) { return a.rank - b.rank; });
}

function search() {
  var query = byId("search").value, found = find(query), list = byId("hits");
  state.hits = found.map(function (one) { return one.id; });
  state.at = 0;
  list.hidden = !query.trim();
  list.replaceChildren.apply(list, found.slice(0, 12).map(function (one, at) {
    var item = make("li", at === 0 ? "at" : "", short(nameOf(data.nodes[one.id]), 60));
    if (one.why) { item.appendChild(make("small", "", short(one.why, 80))); }
    item.addEventListener("mousedown", function (event) { event.preventDefault(); select(one.id); });
    return item;
  }));
  if (!found.length) { list.appendChild(make("li", "none", words.nothing)); }
  refresh();
}

function searchKey(event) {
  var items = byId("hits").querySelectorAll("li:not(.none)");
  if (event.isComposing) { return; }
  if (event.key === "Enter" && state.hits.length) { select(state.hits[state.at]); }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp" || !items.length) { return; }
  event.preventDefault();
  state.at = (state.at + (event.key === "ArrowDown" ? 1 : items.length - 1)) % items.length;
  items.forEach(function (item, at) { item.classList.toggle("at", at === state.at); });
  items[state.at].scrollIntoView({ block: "nearest" });
}

/** The kinds with their colours; a click hides or shows one. */
function legend() {
  var counts = {}, names = {};
  data.nodes.forEach(function (node) {
    var kind = kindOf(node.id);
    counts[kind] = (counts[kind] || 0) + 1;
    names[kind] = names[kind] || (node.id === 0 ? words.user : kind === "other" ? words.other : plain(node.kind));
  });
  var order = ["user"].concat(data.kinds.map(function (one) { return "kind " + one.kind; }), ["other"]);
  byId("legend").replaceChildren.apply(byId("legend"), order.filter(function (kind) { return counts[kind]; }).map(function (kind) {
    var dot = make("i", "dot");
    dot.style.setProperty("--own", colours[kind][dark.matches ? 1 : 0]);
    var button = make("button", "", "", [dot, make("span", "", short(names[kind], 40)), make("small", "", String(counts[kind]))]);
    button.type = "button";
    button.setAttribute("aria-pressed", String(!state.hidden[kind]));
    button.addEventListener("click", function () {
      state.hidden[kind] = !state.hidden[kind];
      legend();
      refresh();
    });
    return make("li", "", "", [button]);
  }));
  byId("legend").hidden = !data.nodes.length;
}

// While a node is dragged its surroundings follow.
var heat = 0;

function follow() {
  if (heat < 0.02) { heat = 0; return; }
  tow(bodies, springs, heat);
  view.batch(function () {
    view.nodes().forEach(function (node) {
      var body = bodies[node.data("at")];
      if (!body.held) { node.position({ x: body.x, y: body.y }); }
    });
  });
  heat *= 0.97;
  window.requestAnimationFrame(follow);
}

view.on("drag", "node", function (event) {
  var body = bodies[event.target.data("at")], at = event.target.position();
  body.held = true;
  body.x = at.x; body.y = at.y;
  if (bodies.length > 1000) { return; }
  var resting = heat === 0;
  heat = 0.5;
  if (resting) { window.requestAnimationFrame(follow); }
});
view.on("free", "node", function (event) { bodies[event.target.data("at")].held = false; });
view.on("tap", "node", function (event) { select(event.target.data("at")); });
view.on("tap", "edge", function (event) { select(data.links[event.target.data("at")].from); });
view.on("tap", function (event) { if (event.target === view) { select(null); } });
view.on("mouseover", "node", function () { byId("picture").style.cursor = "pointer"; });
view.on("mouseout", "node", function () { byId("picture").style.cursor = ""; });

function zoomBy(factor) {
  var free = frame(), zoom = Math.max(view.minZoom(), Math.min(view.maxZoom(), view.zoom() * factor));
  var x = (free.left + free.right) / 2, y = (free.top + free.bottom) / 2, pan = view.pan(), by = zoom / view.zoom();
  move(zoom, { x: x - (x - pan.x) * by, y: y - (y - pan.y) * by });
}

byId("zoom-in").addEventListener("click", function () { zoomBy(1.35); });
byId("zoom-out").addEventListener("click", function () { zoomBy(1 / 1.35); });
byId("zoom-fit").addEventListener("click", fitAll);
byId("close").addEventListener("click", function () { select(null); });
byId("search").addEventListener("input", search);
byId("search").addEventListener("focus", search);
byId("search").addEventListener("keydown", searchKey);
byId("search").addEventListener("blur", function () { byId("hits").hidden = true; });
byId("show-past").addEventListener("change", function (event) {
  state.past = event.target.checked;
  if (state.selected === null) { refresh(); } else { select(state.selected); }
});
document.addEventListener("keydown", function (event) {
  var typing = document.activeElement === byId("search");
  if (event.key === "/" && !typing) { event.preventDefault(); byId("search").focus(); }
  if (event.key !== "Escape") { return; }
  if (typing) { byId("search").value = ""; search(); byId("search").blur(); } else { select(null); }
});
window.addEventListener("resize", function () { if (state.selected === null) { fitAll(true); } });
dark.addEventListener("change", function () {
  view.style(look());
  legend();
  if (state.selected !== null) { select(state.selected); }
});

var pastCount = data.links.filter(isPast).length;
byId("counts").textContent = fill(words.counts, [data.nodes.length, data.links.length]);
byId("past-count").textContent = String(pastCount);
byId("past").hidden = pastCount === 0;
if (!data.nodes.length) { byId("hint").textContent = words.empty; }
legend();
refresh();
fitAll(true);
