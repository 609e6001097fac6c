/** As htm.js: served is the package's file. */
// biome-ignore lint/performance/noBarrelFile: it stands in for one file
export { generate } from 'lean-qr';
