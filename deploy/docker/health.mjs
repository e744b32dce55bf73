/**
 * The health check of the images: ends with 0 when the process in the same container says that it is ready. An argument
 * is another address to ask.
 */
const port = (process.env.METRICS_LISTEN ?? '').split(':').pop();
const address = process.argv[2] ?? `http://127.0.0.1:${port}/readyz`;

function say(what) {
  process.stderr.write(`${address} ${what}\n`);
}

try {
  const response = await fetch(address, { signal: AbortSignal.timeout(4000) });
  if (!response.ok) say(`answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  say(`did not answer: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
