import { html } from './htm.js';

/** Curves, bars and rings. Each says in words what it shows, and its numbers stand in a table for screen readers. */

const figure = (label, drawing, { caption, headers, rows, numbers }) => html`<figure>
  ${drawing}
  ${caption && html`<figcaption>${caption}</figcaption>`}
  ${
    rows &&
    html`<details><summary>${numbers}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${label}><table>
      <thead><tr>${headers.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>${rows.map(([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((text) => html`<td>${text}</td>`)}</tr>`)}</tbody>
    </table></div></details>`
  }
</figure>`;

const WIDTH = 400;
const HEIGHT = 180;
const LEFT = 30;
const TOP = 12;
const BOTTOM = 28;

/** A round number not below the value, and the lines up to it. */
const scaleFor = (most) => {
  const power = 10 ** Math.floor(Math.log10(most || 1));
  const top = [1, 2, 2.5, 5, 10].map((step) => step * power).find((value) => value >= most) || 1;
  return { top, lines: [0, 0.5, 1].map((share) => Number((top * share).toPrecision(3))) };
};

const heightOf = (value, { bottom = 0, top }) =>
  HEIGHT - BOTTOM - ((value - bottom) / (top - bottom || 1)) * (HEIGHT - BOTTOM - TOP);

const grid = (lines, scale) =>
  lines.map((value) => {
    const y = heightOf(value, scale);
    return html`<line class="grid" x1=${LEFT} x2=${WIDTH} y1=${y} y2=${y} /><text x=${LEFT - 8} y=${y + 4} text-anchor="end">${value}</text>`;
  });

/** `points`: `[label, value]`, from the oldest to the newest; `about`: as of `figure`. */
export const curve = (label, points, about) => {
  const scale = scaleFor(Math.max(...points.map(([, value]) => value), 0));
  const step = (WIDTH - LEFT - 12) / Math.max(points.length - 1, 1);
  const placed = points.map(([, value], at) => [LEFT + 6 + at * step, heightOf(value, scale)]);
  const line = placed.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  const [lastX, lastY] = placed[placed.length - 1];
  const base = heightOf(0, scale);
  const named = [0, Math.floor((points.length - 1) / 2), points.length - 1].filter(
    (at, n, all) => all.indexOf(at) === n,
  );
  return figure(
    label,
    html`<svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
      ${grid(scale.lines, scale)}
      <path class="area" d=${`${line}L${lastX.toFixed(1)} ${base}L${placed[0][0].toFixed(1)} ${base}Z`} />
      <path class="line" d=${line} />
      <circle class="dot" cx=${lastX} cy=${lastY} r="4.5" />
      ${named.map((at) => html`<text x=${placed[at][0]} y=${HEIGHT - 6} text-anchor=${at === 0 ? 'start' : at === points.length - 1 ? 'end' : 'middle'}>${points[at][0]}</text>`)}
    </svg>`,
    about,
  );
};

/** `bars`: `[short label, value or null]`. `bottom`: where the scale begins. */
export const bars = (label, values, { bottom = 0, top, ...about }) => {
  const scale = { bottom, top };
  const step = (WIDTH - LEFT) / values.length;
  const width = Math.min(step * 0.62, 40);
  const base = heightOf(bottom, scale);
  return figure(
    label,
    html`<svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
      ${grid([bottom, (bottom + top) / 2, top], scale)}
      ${values.map(([name, value], at) => {
        const x = LEFT + at * step + step / 2;
        const y = heightOf(Math.max(value === null ? bottom : value, bottom), scale);
        return html`${
          value !== null &&
          html`<rect class="column" x=${x - width / 2} y=${y} width=${width} height=${Math.max(base - y, 1)} rx="4" />
          <text class="value" x=${x} y=${y - 6} text-anchor="middle">${Math.round(value * 10) / 10}</text>`
        }
          <text x=${x} y=${HEIGHT - 8} text-anchor="middle">${name}</text>`;
      })}
    </svg>`,
    about,
  );
};

const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;

/** `share`: 0 to 1. */
export const ring = (label, share, value, caption) => html`<figure class="ring">
  <svg viewBox="0 0 100 100" role="img" aria-label=${label}>
    <circle class="track" cx="50" cy="50" r=${RADIUS} />
    <circle class="fill" cx="50" cy="50" r=${RADIUS} transform="rotate(-90 50 50)" stroke-dasharray=${`${(Math.min(Math.max(share, 0), 1) * ROUND).toFixed(1)} ${ROUND.toFixed(1)}`} />
    <text class="value" x="50" y="56" text-anchor="middle">${value}</text>
  </svg>
  <figcaption>${caption}</figcaption>
</figure>`;
