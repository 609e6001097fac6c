/** What the service serves under this name is the package's file; programs outside a browser find it here. */
// biome-ignore lint/performance/noBarrelFile: it stands in for one file
export { h, html, render } from 'htm/preact/standalone';
