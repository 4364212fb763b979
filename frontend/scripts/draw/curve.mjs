/** Smooth curves through points, as SVG path data. */
const short = (number) => Number(number.toFixed(1));

function segments(points, at, count) {
  const parts = [];
  for (let index = 0; index < count; index += 1) {
    const [before, from, to, after] = [-1, 0, 1, 2].map((step) => at(points, index + step));
    const first = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const second = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    parts.push(`C${[...first, ...second, ...to].map(short).join(" ")}`);
  }
  return parts.join("");
}

/** A closed outline. */
export function closed(points) {
  const at = (all, index) => all[(index + all.length) % all.length];
  return `M${points[0].map(short).join(" ")}${segments(points, at, points.length)}Z`;
}

/** An open line from the first point to the last. */
export function open(points) {
  const at = (all, index) => all[Math.min(all.length - 1, Math.max(0, index))];
  return `M${points[0].map(short).join(" ")}${segments(points, at, points.length - 1)}`;
}
