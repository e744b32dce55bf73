/**
 * Health check of the images: exits with 0 if the process in the same container reports that it is ready. Arguments are
 * other URLs to query, one after the other. A URL that reports on a whole installation must report no problem. A
 * leading --timeout=60 retries for that many seconds, because services find each other only some time after they start.
 */
const [first, ...rest] = process.argv.slice(2);
const timeout = /^--timeout=(\d+)$/.exec(first ?? '')?.[1];
const given = timeout === undefined && first !== undefined ? [first, ...rest] : rest;
const until = Date.now() + Number(timeout ?? 0) * 1000;
const port = (process.env.METRICS_LISTEN ?? '').split(':').pop();
const addresses = given.length > 0 ? given : [`http://127.0.0.1:${port}/readyz`];

/** Returns the problem with a response, or undefined. */
function complaint(response, text) {
  if (!response.ok) return `returned ${response.status}: ${text.slice(0, 500)}`;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const status = isJson ? JSON.parse(text).status : undefined;
  return status === undefined || status === 'ready' ? undefined : `reports ${status}: ${text.slice(0, 1000)}`;
}

async function checkAddress(address) {
  try {
    // Opens a new connection each time. A kept connection would reach the same process again, which may be a wrong one:
    // until the cluster knows the Service, a connection leads to whatever answers for its address.
    const response = await fetch(address, { headers: { connection: 'close' }, signal: AbortSignal.timeout(4000) });
    return complaint(response, await response.text());
  } catch (error) {
    return `did not respond: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function waitUntilHealthy(address) {
  for (;;) {
    const wrong = await checkAddress(address);
    if (wrong === undefined || Date.now() >= until) return wrong;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

for (const address of addresses) {
  const wrong = await waitUntilHealthy(address);
  // A single check is silent on success. Several checks print their progress.
  if (wrong !== undefined) {
    process.stderr.write(`${address} ${wrong}\n`);
    process.exitCode = 1;
  } else if (addresses.length > 1) process.stdout.write(`${address} is fine\n`);
}
