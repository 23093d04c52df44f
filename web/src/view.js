// What part of the map is seen: moved and scaled by pointer, wheel, pinch and keys.

const LEAST = 0.15;
const MOST = 6;
/** Names can be read from here on. */
const READABLE = 0.85;
/** A part of a map is made no larger than this to be seen. */
const LARGE = 3;

export class View {
  x = 0;
  y = 0;
  /** Pixels of the screen for one of the map. */
  scale = 1;
  #frame;
  #layers;
  #map = { width: 1, height: 1 };
  #settled = null;
  #idle = 0;
  /** Told where this looks, whenever that changes. */
  moved = null;

  constructor(frame, layers) {
    this.#frame = frame;
    this.#layers = layers;
    new ResizeObserver(() => this.#settle()).observe(frame);
  }

  /** The whole map; or as much of it around a point as can be read; or a part of it, where the point is the middle of one. */
  fit(width, height, around = null) {
    this.#map = { width, height, around };
    const { clientWidth, clientHeight } = this.#frame;
    const whole = Math.min(clientWidth / width, clientHeight / height, 1.6);
    const near = around?.width ? Math.min(clientWidth / around.width, clientHeight / around.height, LARGE) : READABLE;
    this.scale = Math.max(LEAST, around ? Math.max(whole, near) : whole);
    const [wide, high] = [clientWidth / this.scale, clientHeight / this.scale];
    const inside = (size, seen, at) => (seen >= size ? (size - seen) / 2 : Math.min(size - seen, Math.max(0, at - seen / 2)));
    this.x = inside(width, wide, around?.x ?? 0);
    this.y = inside(height, high, around?.y ?? 0);
    this.#settle();
  }

  /** Shows a point of the map near the middle, at least so large. */
  show(point, scale = this.scale) {
    const { clientWidth, clientHeight } = this.#frame;
    this.scale = Math.min(MOST, Math.max(this.scale, scale));
    const [wide, high] = [clientWidth / this.scale, clientHeight / this.scale];
    const inside = point.x > this.x + wide * 0.1 && point.x < this.x + wide * 0.9 && point.y > this.y + high * 0.1 && point.y < this.y + high * 0.9;
    if (!inside) [this.x, this.y] = [point.x - wide / 2, point.y - high / 2];
    this.#settle();
  }

  /** Looks where another one looks. */
  follow({ x, y, scale }) {
    if (x === this.x && y === this.y && scale === this.scale) return;
    [this.x, this.y, this.scale] = [x, y, scale];
    this.#glide();
  }

  /** The point of the map below a point of the screen. */
  point(clientX, clientY) {
    const { left, top } = this.#frame.getBoundingClientRect();
    return { x: this.x + (clientX - left) / this.scale, y: this.y + (clientY - top) / this.scale };
  }

  move(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.#glide();
  }

  /** Scales around a point of the screen; around the middle if none is named. */
  zoom(factor, clientX, clientY) {
    const { left, top, width, height } = this.#frame.getBoundingClientRect();
    const [sx, sy] = [(clientX ?? left + width / 2) - left, (clientY ?? top + height / 2) - top];
    const next = Math.min(MOST, Math.max(LEAST, this.scale * factor));
    this.x += sx / this.scale - sx / next;
    this.y += sy / this.scale - sy / next;
    this.scale = next;
    this.#glide();
  }

  /** Moves what is painted already, and paints anew when the hand rests. */
  #glide() {
    this.moved?.(this);
    const from = this.#settled;
    if (!from) return this.#settle();
    const by = this.scale / from.scale;
    const dx = (from.x - this.x) * this.scale;
    const dy = (from.y - this.y) * this.scale;
    for (const layer of this.#layers) layer.style.transform = `translate(${dx}px, ${dy}px) scale(${by})`;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#settle(), 140);
  }

  #settle() {
    clearTimeout(this.#idle);
    const { clientWidth, clientHeight } = this.#frame;
    if (!clientWidth || !clientHeight) return;
    // Hidden when the map came: fitted when it is first seen.
    if (!this.#settled && this.#map.width > 1) {
      this.#settled = {};
      this.fit(this.#map.width, this.#map.height, this.#map.around);
      return;
    }
    const box = `${this.x} ${this.y} ${clientWidth / this.scale} ${clientHeight / this.scale}`;
    for (const layer of this.#layers) {
      layer.setAttribute("viewBox", box);
      layer.style.transform = "";
    }
    this.#settled = { x: this.x, y: this.y, scale: this.scale };
    this.moved?.(this);
  }
}
