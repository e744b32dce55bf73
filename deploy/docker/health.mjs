/**
 * The health check of the images: ends with 0 when the process in the same container says that it is ready. Arguments are
 * other addresses to ask, one after the other; one that says how a whole installation is has to say that nothing is amiss.
 * With --timeout=60 before them it asks on for so many seconds, since parts find each other a moment after they started.
 */
const [first, ...rest] = process.argv.slice(2);
const timeout = /^--timeout=(\d+)$/.exec(first ?? '')?.[1];
const given = timeout === undefined && first !== undefined ? [first, ...rest] : rest;
const until = Date.now() + Number(timeout ?? 0) * 1000;
const port = (process.env.METRICS_LISTEN ?? '').split(':').pop();
const addresses = given.length > 0 ? given : [`http://127.0.0.1:${port}/readyz`];

/** What is wrong with an answer, if anything. */
function complaint(response, text) {
  if (!response.ok) return `answered ${response.status}: ${text.slice(0, 500)}`;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const status = isJson ? JSON.parse(text).status : undefined;
  return status === undefined || status === 'ready' ? undefined : `says ${status}: ${text.slice(0, 1000)}`;
}

async function ask(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(4000) });
    return complaint(response, await response.text());
  } catch (error) {
    return `did not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function askOn(address) {
  for (;;) {
    const wrong = await ask(address);
    if (wrong === undefined || Date.now() >= until) return wrong;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

for (const address of addresses) {
  const wrong = await askOn(address);
  // Who asks for one thing wants silence; who asks for several wants to know how far it got.
  if (wrong !== undefined) {
    process.stderr.write(`${address} ${wrong}\n`);
    process.exitCode = 1;
  } else if (addresses.length > 1) process.stdout.write(`${address} is fine\n`);
}
