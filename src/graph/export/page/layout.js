// Where nodes go: springs along links, repulsion between all, and boxes that include the label kept apart.
// Deterministic: the same drawing looks the same each time. A body is {x, y, w, h, drop, degree, held}: a box whose middle is
// drop / 2 below the point; a spring is
// {a, b, length, room, force}. Nothing is drawn here.

var REACH = 400;
var HALF = [[0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/** Bodies on a spiral around the first one, which is where they start from. */
function spiral(bodies) {
  bodies.forEach(function (body, at) {
    var angle = at * 2.399963;
    var radius = 46 * Math.sqrt(at);
    body.x = radius * Math.cos(angle);
    body.y = radius * Math.sin(angle);
    body.vx = body.vy = 0;
  });
}

/** One step of the simulation; `heat` goes from 1 to 0, `aspect` is width by height of what is to be filled. */
function step(bodies, springs, heat, aspect) {
  repel(bodies, heat);
  pull(bodies, springs, heat);
  bodies.forEach(function (body) {
    body.vx -= body.x * 0.03 / aspect * heat;
    body.vy -= body.y * 0.03 * aspect * heat;
  });
  glide(bodies);
  separate(bodies, 0.5);
}

/** One step while a body is held elsewhere: the others follow, and keep the shape that they have. */
function tow(bodies, springs, heat) {
  pull(bodies, springs, heat);
  glide(bodies);
  separate(bodies, 0.5);
}

function pull(bodies, springs, heat) {
  springs.forEach(function (spring) {
    var a = bodies[spring.a], b = bodies[spring.b];
    var dx = b.x - a.x, dy = b.y - a.y;
    var distance = Math.sqrt(dx * dx + dy * dy) || 1;
    var by = (distance - spring.length) / distance * heat * spring.force;
    var share = a.degree / (a.degree + b.degree);
    b.vx -= dx * by * share; b.vy -= dy * by * share;
    a.vx += dx * by * (1 - share); a.vy += dy * by * (1 - share);
  });
}

function glide(bodies) {
  bodies.forEach(function (body) {
    if (body.held) { body.vx = body.vy = 0; return; }
    body.x += body.vx *= 0.6;
    body.y += body.vy *= 0.6;
  });
}

/** Calls `visit` with all pairs of bodies that are less than `REACH` apart, and with some that are not. */
function pairs(bodies, visit) {
  var cells = new Map();
  bodies.forEach(function (body) {
    body.cellX = Math.floor(body.x / REACH);
    body.cellY = Math.floor(body.y / REACH);
    var key = body.cellX + " " + body.cellY;
    if (cells.has(key)) { cells.get(key).push(body); } else { cells.set(key, [body]); }
  });
  cells.forEach(function (cell) {
    // A cell with itself, and with half of those around it: the other half has it.
    HALF.forEach(function (by) {
      var other = cells.get((cell[0].cellX + by[0]) + " " + (cell[0].cellY + by[1])) || [];
      for (var i = 0; i < cell.length; i += 1) {
        for (var j = other === cell ? i + 1 : 0; j < other.length; j += 1) { visit(cell[i], other[j]); }
      }
    });
  });
}

function repel(bodies, heat) {
  pairs(bodies, function (a, b) {
    var dx = b.x - a.x || 0.1, dy = b.y - a.y || 0.1;
    var square = Math.max(dx * dx + dy * dy, 400);
    if (square > REACH * REACH) { return; }
    var push = 1400 * heat / square;
    a.vx -= dx * push; a.vy -= dy * push;
    b.vx += dx * push; b.vy += dy * push;
  });
}

/** Moves boxes apart that overlap, along the side where least is to be moved. */
function separate(bodies, share) {
  var moved = false;
  pairs(bodies, function (a, b) {
    var dx = b.x - a.x, dy = b.y - a.y + (b.drop - a.drop) / 2;
    var overX = (a.w + b.w) / 2 - Math.abs(dx), overY = (a.h + b.h) / 2 - Math.abs(dy);
    if (overX <= 0 || overY <= 0 || (a.held && b.held)) { return; }
    moved = true;
    var axis = overX < overY ? "x" : "y";
    var by = (axis === "x" ? overX * (dx < 0 ? -1 : 1) : overY * (dy < 0 ? -1 : 1)) * share;
    a[axis] -= a.held ? 0 : b.held ? by : by / 2;
    b[axis] += b.held ? 0 : a.held ? by : by / 2;
  });
  return moved;
}

/** Pushes bodies off the lines that pass through them. */
function clear(bodies, springs, share) {
  springs.forEach(function (spring) {
    var a = bodies[spring.a], b = bodies[spring.b];
    var dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy || 1, length = Math.sqrt(square);
    bodies.forEach(function (body, at) {
      if (at === spring.a || at === spring.b || body.held || at === 0) { return; }
      var px = body.x - a.x, py = body.y + body.drop / 2 - a.y;
      var along = (px * dx + py * dy) / square;
      if (along < 0.02 || along > 0.98) { return; }
      // How far the box reaches across the line.
      var reach = (body.w * Math.abs(dy) + body.h * Math.abs(dx)) / (2 * length) + 9;
      var off = (px * dy - py * dx) / length;
      if (Math.abs(off) >= reach) { return; }
      var by = Math.min(reach - Math.abs(off), 12) * share * (off < 0 ? -1 : 1) / length;
      body.x += dy * by;
      body.y -= dx * by;
    });
  });
}

/** Moves the ends of a line apart that has no room for its label. */
function loosen(bodies, springs) {
  springs.forEach(function (spring) {
    var a = bodies[spring.a], b = bodies[spring.b];
    var dx = b.x - a.x, dy = b.y - a.y, distance = Math.sqrt(dx * dx + dy * dy) || 1;
    // The upper end has its label in between.
    var above = (dy > 0 ? a : b).drop * Math.abs(dy) / distance;
    var lack = Math.min(spring.room + above - distance, 10);
    if (lack <= 0) { return; }
    var share = a.degree / (a.degree + b.degree);
    b.x += dx / distance * lack * share; b.y += dy / distance * lack * share;
    a.x -= dx / distance * lack * (1 - share); a.y -= dy / distance * lack * (1 - share);
  });
}

/** Makes a drawing that is narrower or flatter than what it is to fill fill it better. */
function stretch(bodies, aspect) {
  function extent(axis) {
    var values = bodies.map(function (body) { return body[axis]; });
    return Math.max.apply(null, values) - Math.min.apply(null, values) + 100;
  }
  if (bodies.length < 3) { return; }
  var ratio = aspect * extent("y") / extent("x");
  var x = Math.max(1, Math.min(ratio, 1.8)), y = Math.max(1, Math.min(1 / ratio, 1.8));
  bodies.forEach(function (body) { body.x *= x; body.y *= y; });
}

/** A whole layout, from the spiral to rest; springs then have the lengths that they came to. */
function settle(bodies, springs, aspect) {
  spiral(bodies);
  var tidy = bodies.length * springs.length < 40000;
  var steps = bodies.length > 1500 ? 120 : bodies.length > 500 ? 200 : 400;
  for (var at = 0; at < steps; at += 1) {
    step(bodies, springs, Math.pow(1 - at / steps, 1.5), aspect);
    if (tidy && at > steps / 4) { clear(bodies, springs, 0.25); }
  }
  stretch(bodies, aspect);
  for (var pass = 0; tidy && pass < 200; pass += 1) {
    loosen(bodies, springs);
    clear(bodies, springs, 0.9);
    separate(bodies, 0.6);
  }
  for (var round = 0; round < 200 && separate(bodies, 1); round += 1) { continue; }
  springs.forEach(function (spring) {
    var a = bodies[spring.a], b = bodies[spring.b];
    spring.length = Math.sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  });
  bodies.forEach(function (body) { body.vx = body.vy = 0; });
}
