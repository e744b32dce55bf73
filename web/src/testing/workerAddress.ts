/** Replaces Vite's `?worker&url`, because there are no workers without a browser. */
// oxlint-disable-next-line import/no-default-export -- Vite's is one
export default '/no-worker.js';
