// What is known of one node, and small helpers for building elements. Texts are set as text, never as
// markup.

var data = JSON.parse(document.getElementById("data").textContent);
var words = data.words;

function byId(id) { return document.getElementById(id); }

/** An element with a class, a text and children. */
function make(tag, name, text, children) {
  var element = document.createElement(tag);
  if (name) { element.className = name; }
  if (text) { element.textContent = text; }
  (children || []).forEach(function (child) { element.appendChild(child); });
  return element;
}

function fill(pattern, values) {
  var at = 0;
  return pattern.replace(/\{\}/g, function () { at += 1; return String(values[at - 1]); });
}

/** A text for one line: no line breaks, controls or marks of direction. */
function plain(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/g, " ").trim();
}

/** At most so many characters of a text; `…` for the rest. */
function short(text, limit) {
  var characters = Array.from(plain(text).slice(0, 4 * limit));
  return characters.length > limit ? characters.slice(0, limit - 1).join("") + "…" : characters.join("");
}

function nameOf(node) { return plain(node.name) ? node.name : words.unnamed; }

function spoken(relation) { return plain(relation.replace(/_/g, " ")); }

/** The day of a time, as it is written there. */
function day(time) { return /^\d{4}-\d\d-\d\d/.test(time) ? time.slice(0, 10) : short(time, 40); }

function dates(link) {
  if (link.since && link.until) { return fill(words.between, [day(link.since), day(link.until)]); }
  if (link.since) { return fill(words.since, [day(link.since)]); }
  return link.until ? fill(words.until, [day(link.until)]) : "";
}

function isPast(link) { return link.until !== null; }

/** One fact as seen from node `id`; `go` is called with the other node. */
function factOf(link, id, go, colourOf) {
  var outward = link.from === id;
  var other = data.nodes[outward ? link.to : link.from];
  var button = make("button", "", short(nameOf(other), 80));
  button.type = "button";
  button.addEventListener("click", function () { go(other.id); });
  var parts = [make("span", "relation", short(spoken(link.relation), 80)), make("span", "arrow", "→"), button];
  if (!outward) { parts = [button, parts[0], parts[1], make("span", "relation", short(nameOf(data.nodes[id]), 24))]; }
  if (link.from === link.to) { button.disabled = true; }
  var fact = make("article", isPast(link) ? "fact closed" : "fact", "", [make("div", "said", "", parts)]);
  fact.style.setProperty("--own", colourOf(other.id));
  if (link.content.trim()) { fact.appendChild(make("p", "", link.content)); }
  var when = dates(link);
  if (when) { fact.appendChild(make("time", "", when)); }
  return fact;
}

function heading(text, count) {
  return make("h3", "", text, count === undefined ? [] : [make("small", "", String(count))]);
}

/** The elements of the panel for node `id`. */
function about(id, showsPast, go, colourOf) {
  var node = data.nodes[id];
  var kind = id === 0 ? words.user : plain(node.kind) || words.other;
  var dot = make("span", "dot");
  dot.style.setProperty("--own", colourOf(id));
  var parts = [make("h2", "", nameOf(node)), make("div", "chip", "", [dot, make("span", "", short(kind, 60))])];
  var aliases = node.aliases.filter(plain);
  if (aliases.length) {
    parts.push(heading(words.aliases));
    parts.push(make("div", "aliases", "", aliases.map(function (alias) { return make("span", "", short(alias, 200)); })));
  }
  if (node.properties.length) {
    var list = make("dl");
    node.properties.forEach(function (property) {
      list.appendChild(make("dt", "", short(spoken(property.name), 100)));
      list.appendChild(make("dd", "", property.value));
    });
    parts.push(heading(words.properties), list);
  }
  return parts.concat(factsAbout(id, showsPast, go, colourOf));
}

function factsAbout(id, showsPast, go, colourOf) {
  var facts = data.links.filter(function (link) { return link.from === id || link.to === id; });
  var past = facts.filter(isPast);
  var current = facts.filter(function (link) { return !isPast(link); });
  function show(link) { return factOf(link, id, go, colourOf); }
  var parts = [];
  if (current.length) { parts.push(heading(words.facts, current.length)); }
  parts = parts.concat(current.map(show));
  if (past.length) {
    var title = make("summary", "", words.pastFacts, [make("small", "", String(past.length))]);
    var details = make("details", "", "", [title].concat(past.map(show)));
    details.open = showsPast || !current.length;
    parts.push(details);
  }
  if (!facts.length) { parts.push(make("p", "none", words.noFacts)); }
  return parts;
}

