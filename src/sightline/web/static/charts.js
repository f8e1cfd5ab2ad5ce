// Makes the charts that the server rendered interactive: tooltips under the pointer, and with the arrow keys.
// The content policy allows no evaluated code, so expressions are interpreted (`ast`) and styles are our own.
const OPTIONS = { ast: true, defaultStyle: false, actions: false, renderer: "svg", hover: false };

export async function enliven(boxes) {
  await import(boxes[0].dataset.chart); // puts vegaEmbed on the window; without it the drawings stay as they are
  const tip = makeTip();
  for (const box of boxes) await draw(box, tip);
}

async function draw(box, tip) {
  const spec = JSON.parse(box.querySelector("script").textContent);
  const drawn = [...box.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width);
  if (!drawn) return;
  const size = drawn.getBoundingClientRect();
  const fills = "fill" in box.dataset;
  if (fills) {
    spec.autosize = { type: "fit", contains: "padding" };
    spec.width = Math.floor(box.clientWidth);
    spec.height = Math.round(size.height);
  }
  const host = document.createElement("div");
  host.className = "chart live-chart";
  const { view } = await window.vegaEmbed(host, spec, { ...OPTIONS, tooltip: (_, event, __, value) => tip.say(event, value) });
  for (const old of box.querySelectorAll("svg, .wide-chart, .narrow-chart, .any-chart")) old.remove();
  box.prepend(host);
  describe(box, host);
  walk(host, tip);
  if (fills) follow(box, view);
}

// Describes the chart to screen readers: what it is, its finding, and that arrow keys work.
function describe(box, host) {
  host.tabIndex = 0;
  host.setAttribute("role", "group");
  host.setAttribute("aria-roledescription", document.body.dataset.chartRole);
  host.setAttribute("aria-label", box.dataset.name);
  host.setAttribute("aria-description", `${box.dataset.finding} ${document.body.dataset.chartKeys}`);
  host.querySelector("svg").setAttribute("aria-hidden", "true");
}

function follow(box, view) {
  let width = box.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - width) < 2 || !box.clientWidth) return;
    width = box.clientWidth;
    view.width(Math.floor(width)).runAsync();
  }).observe(box);
}

// Left and right go along a line from check to check; up and down change the line. The brand's own comes first.
function walk(host, tip) {
  let line = 0;
  let at = -1;
  const lines = () =>
    [...host.querySelectorAll("svg g[class*=mark-]")]
      .map((group) =>
        [...group.children]
          .filter((node) => node.__data__?.tooltip)
          .map((node) => ({ box: node.getBoundingClientRect(), value: node.__data__.tooltip }))
          .sort((a, b) => a.box.x - b.box.x || a.box.y - b.box.y))
      .filter((points) => points.length)
      .reverse();
  const within = (number, list) => Math.min(list.length - 1, Math.max(0, number));
  host.addEventListener("keydown", (event) => {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const across = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (event.key === "Escape") tip.hide();
    if (!along && !across) return;
    event.preventDefault();
    const all = lines();
    if (!all.length) return;
    const x = all[line]?.[at]?.box.x;
    line = within(line + across, all);
    if (across && x !== undefined) {
      const away = all[line].map(({ box }) => Math.abs(box.x - x));
      at = away.indexOf(Math.min(...away));
    } else {
      at = at < 0 && along < 0 ? all[line].length - 1 : within(at + (along || 1), all[line]);
    }
    const { box, value } = all[line][at];
    tip.show(value, box.x + box.width / 2, box.y, box);
  });
  host.addEventListener("blur", () => {
    line = 0;
    at = -1;
    tip.hide();
  });
}

function makeTip() {
  const element = document.createElement("div");
  element.className = "chart-tip";
  element.setAttribute("role", "status");
  element.hidden = true;
  const ring = document.createElement("div");
  ring.className = "chart-ring";
  ring.hidden = true;
  document.body.append(ring, element);
  const hide = () => { element.hidden = ring.hidden = true; };
  addEventListener("scroll", hide, { passive: true, capture: true });
  const show = (value, x, y, around) => {
    const [first, ...rest] = String(value).split("\n");
    const strong = document.createElement("strong");
    strong.textContent = first;
    element.replaceChildren(strong, ...rest.map((line) => Object.assign(document.createElement("span"), { textContent: line })));
    element.hidden = false;
    const { width, height } = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(innerWidth - width - 8, x - width / 2));
    const above = y - height - 12;
    element.style.left = `${left}px`;
    element.style.top = `${above > 8 ? above : y + 20}px`;
    ring.hidden = !around;
    if (around) Object.assign(ring.style, {
      left: `${around.x - 4}px`, top: `${around.y - 4}px`, width: `${around.width + 8}px`, height: `${around.height + 8}px`,
    });
  };
  const say = (event, value) => (value ? show(value, event.clientX, event.clientY) : hide());
  return { say, show, hide };
}
