// picture.js -- a drawing that can be moved and zoomed: two SVGs, one over the other.
//
// The lower one (`base`) has the drawing itself, the upper one marks and tokens: a frame of a run changes
// only the upper one. Both show the same part of the drawing.

class Picture {
  constructor(pane, width, height) {
    this.pane = pane;
    this.width = width;
    this.height = height;
    this.base = pane.appendChild(document.createElementNS(SVG, "svg"));
    this.over = pane.appendChild(document.createElementNS(SVG, "svg"));
    this.over.setAttribute("class", "over");
    this.content = this.base.appendChild(document.createElementNS(SVG, "g"));
    this.marked = this.over.appendChild(document.createElementNS(SVG, "g"));
    this.live = this.over.appendChild(document.createElementNS(SVG, "g"));
    this.x = this.y = 0;
    this.scale = 1;
    this.listen();
    const button = (text, title, act) => element("button", { title, "aria-label": title, onclick: act }, text);
    pane.append(element("span", { class: "corner" }, button("+", "zoom in (+)", () => this.zoom(1.3)), button("−", "zoom out (-)", () => this.zoom(1 / 1.3)), button("1:1", "100 % (0)", () => this.zoom(1 / this.scale)), button("fit", "all of it (f)", () => this.fit())));
    new ResizeObserver(() => (this.fitted ? this.fit(...this.fitted) : this.place())).observe(pane);
  }
  place() {
    const t = `translate(${this.x} ${this.y}) scale(${this.scale})`;
    for (const g of [this.content, this.marked, this.live]) g.setAttribute("transform", t);
    const level = this.scale < 0.14 ? "far tiny" : this.scale < 0.42 ? "far" : this.scale < 1.15 ? "middle" : "near";
    if (level.startsWith("far") && this.onScale && this.labelled !== this.scale) this.onScale((this.labelled = this.scale));
    if (level !== this.level) {
      this.level = level;
      if (level === "near" && this.details) (this.content.insertAdjacentHTML("beforeend", this.details())), (this.details = null);
      this.base.setAttribute("class", level);
      this.over.setAttribute("class", "over " + level);
      if (this.onLevel) this.onLevel();
    }
  }
  size() {
    return [this.pane.clientWidth || 600, this.pane.clientHeight || 400];
  }
  fit(box) {
    const [w, full] = this.size(), [x, y, wide, high] = box || [0, 0, this.width, this.height];
    const legend = this.pane.querySelector(".legend"), h = full - (legend ? legend.offsetHeight : 0); // covers the bottom of the pane
    this.scale = Math.min((w - 16) / wide, (h - 16) / high, 1.6);
    this.x = w / 2 - (x + wide / 2) * this.scale;
    this.y = h / 2 - (y + high / 2) * this.scale;
    this.fitted = [box];
    this.place();
  }
  zoom(by, cx, cy) {
    const [w, h] = this.size(), scale = Math.min(6, Math.max(0.02, this.scale * by));
    if (cx === undefined) (cx = w / 2), (cy = h / 2);
    this.x = cx - ((cx - this.x) * scale) / this.scale;
    this.y = cy - ((cy - this.y) * scale) / this.scale;
    this.scale = scale;
    this.fitted = false;
    this.place();
  }
  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.fitted = false;
    this.place();
  }
  // Moves and zooms so that a box is visible, and readable if it is not too large.
  show([x, y, w, h]) {
    const [wide, high] = this.size(), left = x * this.scale + this.x, top = y * this.scale + this.y;
    const most = Math.min((wide - 20) / w, (high - 20) / h), isSeen = left >= 0 && top >= 0 && left + w * this.scale <= wide && top + h * this.scale <= high;
    if (isSeen && (this.scale > 0.5 || this.scale > most * 0.6)) return;
    if (this.scale > most || this.scale < 0.5) this.scale = Math.min(most, 0.85);
    this.x = wide / 2 - (x + w / 2) * this.scale;
    this.y = high / 2 - (y + h / 2) * this.scale;
    this.fitted = false;
    this.place();
  }
  listen() {
    let from = null, moved = false;
    this.pane.addEventListener("pointerdown", (e) => {
      if (e.button || e.target.closest("button")) return;
      from = [e.clientX, e.clientY];
      moved = false;
    });
    this.pane.addEventListener("pointermove", (e) => {
      if (!from) return;
      const dx = e.clientX - from[0], dy = e.clientY - from[1];
      if (!moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      if (!moved) this.pane.setPointerCapture(e.pointerId), this.pane.classList.add("dragged");
      moved = true;
      from = [e.clientX, e.clientY];
      this.move(dx, dy);
    });
    const end = () => {
      from = null;
      this.pane.classList.remove("dragged");
    };
    this.pane.addEventListener("pointerup", end);
    this.pane.addEventListener("pointercancel", end);
    this.pane.addEventListener("wheel", (e) => {
      e.preventDefault();
      const box = this.pane.getBoundingClientRect();
      if (e.shiftKey) this.move(-e.deltaY, 0);
      else this.zoom(Math.exp(-e.deltaY / 500), e.clientX - box.left, e.clientY - box.top);
    }, { passive: false });
    this.pane.addEventListener("click", (e) => {
      if (moved) return (moved = false);
      if (e.target.closest("button")) return;
      const at = e.target.closest("[data-kind]");
      select(at ? { kind: at.dataset.kind, id: Number(at.dataset.id) } : null, this);
    });
    this.pane.addEventListener("pointerover", (e) => {
      const at = e.target.closest && e.target.closest("[data-kind]");
      showTip(at && !from ? tipOf(at.dataset.kind, Number(at.dataset.id)) : null, e);
    });
    this.pane.addEventListener("pointerleave", () => showTip(null));
  }
  // The whole drawing as a self-contained SVG.
  exported() {
    if (this.details) this.content.insertAdjacentHTML("beforeend", this.details()), (this.details = null);
    const svg = document.createElementNS(SVG, "svg"), theme = getComputedStyle(document.documentElement);
    svg.setAttribute("xmlns", SVG);
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    svg.setAttribute("width", this.width);
    svg.setAttribute("height", this.height);
    svg.setAttribute("class", "near");
    const style = document.createElementNS(SVG, "style");
    style.textContent = document.querySelector("style").textContent.replace(/var\((--[a-z-]+)(?:, var\((--[a-z-]+)\))?\)/g, (match, name, other) => theme.getPropertyValue(name).trim() || (other ? theme.getPropertyValue(other).trim() : "none"));
    svg.append(style);
    const paper = document.createElementNS(SVG, "rect");
    paper.setAttribute("width", "100%");
    paper.setAttribute("height", "100%");
    paper.setAttribute("fill", theme.getPropertyValue("--paper"));
    svg.append(paper);
    for (const g of [this.content, this.marked, this.live]) svg.append(g.cloneNode(true));
    for (const g of svg.querySelectorAll(":scope > g")) g.removeAttribute("transform");
    return new XMLSerializer().serializeToString(svg);
  }
}

const boundsOf = (boxes) => {
  const x = Math.min(...boxes.map((b) => b[0])), y = Math.min(...boxes.map((b) => b[1]));
  return [x - 30, y - 30, Math.max(...boxes.map((b) => b[0] + b[2])) - x + 60, Math.max(...boxes.map((b) => b[1] + b[3])) - y + 60];
};
