/** What Vite makes of `?worker&url`: there are no workers where there is no browser. */
// oxlint-disable-next-line import/no-default-export -- Vite's is one
export default '/no-worker.js';
